import CLinux
import Glibc

/// What the disk takes for the least that a durable write is.
final class DiskFloor {
    private(set) var samples = Samples()
    private let path: String
    private let descriptor: Int32
    private static let byteCount = 200

    init(in folder: String) throws(BenchError) {
        path = folder + "/floor"
        descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchError("\(path) cannot be written.") }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Appends 200 bytes and waits until they are on the disk, so many times.
    func append(_ count: Int) throws(BenchError) {
        let bytes = [UInt8](repeating: 100, count: Self.byteCount)
        for _ in 0..<count {
            let begin = tarn_monotonic_nanoseconds()
            let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written == bytes.count, fdatasync(descriptor) == 0 else {
                throw BenchError("\(path) cannot be written.")
            }
            samples.add(nanoseconds: tarn_monotonic_nanoseconds() - begin)
        }
    }
}
