internal import Glibc

/// Buffers of one size for the queues of a loop. A queue needs one for the length of a turn, so a
/// few serve thousands of connections, and their memory is warm.
///
/// It belongs to its loop's thread.
final class BufferPool {
    static let byteCount = 16_384
    /// More than this many at once are the system's again when they come back.
    private static let spareMax = 32

    private var spare: [UnsafeMutableRawPointer] = []

    func take() -> UnsafeMutableRawPointer {
        if let buffer = spare.popLast() { return buffer }
        guard let buffer = malloc(Self.byteCount) else {
            preconditionFailure("memory ran out while bytes wait to be sent")
        }
        return buffer
    }

    func give(_ buffer: UnsafeMutableRawPointer) {
        if spare.count < Self.spareMax { spare.append(buffer) } else { free(buffer) }
    }

    deinit {
        for buffer in spare { free(buffer) }
    }
}
