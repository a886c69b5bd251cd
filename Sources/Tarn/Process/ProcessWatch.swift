import CLinux
import Glibc
import TarnTransport

/// Calls back once when a process ends, however it does.
final class ProcessWatch {
    let process: Int64
    private let descriptor: Int32
    private var watch: DescriptorWatch?

    /// Nil where there is no such process, or the kernel cannot tell of its end.
    init?(_ process: Int64, on loop: EventLoop, ended: @escaping () -> Void) {
        guard let number = Int32(exactly: process), number > 0 else { return nil }
        self.process = process
        descriptor = tarn_pidfd_open(number)
        guard descriptor >= 0 else { return nil }
        do throws(TransportError) {
            watch = try loop.watch(descriptor, .readable) { [unowned self] _ in
                cancel()
                ended()
            }
        } catch {
            return nil
        }
    }

    deinit {
        watch?.cancel()
        close(descriptor)
    }

    func cancel() {
        watch?.cancel()
        watch = nil
    }
}
