import CLinux
import Glibc
import Synchronization
import TarnTransport

/// Looks at the free space of a folder's disk from time to time, on a thread of its own: a disk
/// that does not answer holds up nobody else, and its silence can be told.
///
/// It crosses threads: `last` is behind its mutex, and everything else is for the thread that
/// looks. That is why it is Sendable without the compiler's proof.
final class DiskWatch: @unchecked Sendable {
    private struct Look {
        let time: MonotonicTime
        let freeBytes: Int?
    }

    private let loop: EventLoop
    private let interval: Duration
    private let freeBytes: () -> Int?
    private let last: Mutex<Look>

    static let interval = Duration.seconds(5)

    /// Looks once, before anything else happens.
    init(
        _ folder: String, every interval: Duration = interval
    ) throws(TransportError) {
        loop = try EventLoop(name: "disk")
        self.interval = interval
        freeBytes = { Self.freeBytes(of: folder) }
        last = Mutex(Look(time: .now(), freeBytes: Self.freeBytes(of: folder)))
    }

    init(
        on loop: EventLoop, every interval: Duration, freeBytes: @escaping () -> Int?
    ) {
        self.loop = loop
        self.interval = interval
        self.freeBytes = freeBytes
        last = Mutex(Look(time: .now(), freeBytes: freeBytes()))
    }

    func start() throws(TransportError) {
        loop.execute { [self] in look() }
        try loop.startThread()
    }

    func stop() { loop.stop() }

    /// From any thread, at once: what the last look saw, and how long it is ago.
    func lastLook(now: MonotonicTime) -> (freeBytes: Int?, age: Duration) {
        last.withLock { ($0.freeBytes, now - $0.time) }
    }

    private func look() {
        let bytes = freeBytes()
        last.withLock { $0 = Look(time: .now(), freeBytes: bytes) }
        loop.schedule(after: interval) { [self] in look() }
    }

    /// What somebody without privileges may still write; nil where it cannot be told.
    private static func freeBytes(of folder: String) -> Int? {
        let bytes = tarn_free_bytes(folder)
        return bytes < 0 ? nil : Int(bytes)
    }
}
