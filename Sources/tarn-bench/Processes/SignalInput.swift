import CLinux
import Glibc
import TarnTransport

/// Signals as events of a loop, while this lives. They are blocked meanwhile.
final class SignalInput {
    private let descriptor: Int32
    private var watch: DescriptorWatch?

    init(
        _ signals: [Int32], on loop: EventLoop, heard: @escaping () -> Void
    ) throws(BenchError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        do throws(TransportError) {
            watch = try loop.watch(descriptor, .readable) { [descriptor] _ in
                var info = signalfd_siginfo()
                while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 { heard() }
            }
        } catch {
            throw BenchError(error.sentence)
        }
    }

    deinit {
        watch?.cancel()
        close(descriptor)
    }
}
