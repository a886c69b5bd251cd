import CLinux
import Glibc
import TarnTransport

/// By which the processes that share a replica tell each other that it is another now.
///
/// It is an empty file beside the replica. Who has committed sets its times, and the others, who
/// watch it by inotify, look into the replica. SQLite's write-ahead log would not do: it is written
/// before the commit is visible, and it comes and goes. A process that dies between its commit and
/// the touch is not heard of; the leader, who looks every second anyway, finds what it wrote.
final class WakeFile {
    let path: String
    private let descriptor: Int32

    init(at path: String) throws(TarnError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PrivateFile.failure("opening \(path)") }
    }

    deinit { close(descriptor) }

    /// Wakes everybody who watches. Works on a full disk, too.
    func touch() {
        // A failure costs the others a second at most.
        _ = futimens(descriptor, nil)
    }
}

/// Attention to a wake file, until it is cancelled.
final class WakeWatch {
    private let descriptor: Int32
    private var watch: DescriptorWatch?
    private let woken: (_ isGone: Bool) -> Void

    /// Calls back once for all touches since the last time; `isGone` when the file was removed,
    /// as its replica's user has logged out.
    init(
        _ path: String, on loop: EventLoop, woken: @escaping (_ isGone: Bool) -> Void
    ) throws(TarnError) {
        self.woken = woken
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { throw PrivateFile.failure("watching \(path)") }
        do throws(TarnError) {
            // A removed file's links change, which is told as a change of its attributes.
            guard inotify_add_watch(descriptor, path, UInt32(IN_ATTRIB | IN_DELETE_SELF)) >= 0
            else { throw PrivateFile.failure("watching \(path)") }
            do throws(TransportError) {
                watch = try loop.watch(descriptor, .readable) { [unowned self] _ in
                    drain()
                    var status = stat()
                    self.woken(stat(path, &status) != 0)
                }
            } catch {
                throw TarnError(error)
            }
        } catch {
            close(descriptor)
            throw error
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

    private func drain() {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
