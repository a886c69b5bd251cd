import CLinux
import Glibc
import TarnTransport

/// Takes the signals that end or stop a program as events of a loop, while it lives.
///
/// They are blocked meanwhile, in this thread and in those that it starts; those that came are not
/// delivered again afterwards.
final class SignalWatch {
    /// What ends a program or stops it, unless it was started with the signal ignored.
    static var ending: [Int32] {
        [SIGINT, SIGTERM, SIGHUP, SIGTSTP].filter { tarn_signal_is_ignored($0) == 0 }
    }

    private let descriptor: Int32
    private var previous = sigset_t()
    private var watch: DescriptorWatch?

    init(
        _ signals: [Int32], on loop: EventLoop, heard: @escaping (Int32) -> Void
    ) throws(TarnError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, &previous)
        descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        do throws(TransportError) {
            watch = try loop.watch(descriptor, .readable) { [unowned self] _ in
                for signal in take() { heard(signal) }
            }
        } catch {
            if descriptor >= 0 { close(descriptor) }
            pthread_sigmask(SIG_SETMASK, &previous, nil)
            throw TarnError(error)
        }
    }

    deinit {
        watch?.cancel()
        close(descriptor)
        pthread_sigmask(SIG_SETMASK, &previous, nil)
    }

    private func take() -> [Int32] {
        var signals: [Int32] = []
        var info = signalfd_siginfo()
        while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
            signals.append(Int32(truncatingIfNeeded: info.ssi_signo))
        }
        return signals
    }
}
