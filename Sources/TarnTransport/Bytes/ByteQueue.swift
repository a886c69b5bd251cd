internal import Glibc

/// Bytes that wait: appended at the end, taken from the front. Its memory goes back to the system
/// when it runs empty, so that thousands of quiet connections cost nothing.
package struct ByteQueue: ~Copyable {
    private var storage: UnsafeMutableRawPointer?
    private var capacity = 0
    private var head = 0
    private var tail = 0

    /// What is kept when the queue runs empty: most turns of a busy connection fit.
    private static let keptCapacity = 1024

    package init() {}

    deinit {
        free(storage)
    }

    package var count: Int { tail - head }
    package var isEmpty: Bool { head == tail }

    package mutating func append(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { append($0) }
    }

    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        let room = reserve(bytes.count)
        room.copyMemory(from: source, byteCount: bytes.count)
    }

    /// Room for exactly `count` bytes at the end, which the caller fills at once.
    mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer {
        if tail + count > capacity { makeRoom(for: count) }
        guard let storage else { preconditionFailure("room was made") }
        let start = storage + tail
        tail += count
        return start
    }

    private mutating func makeRoom(for count: Int) {
        let waiting = self.count
        if let storage, head > 0 {
            memmove(storage, storage + head, waiting)
            head = 0
            tail = waiting
        }
        guard waiting + count > capacity else { return }
        let wanted = max(waiting + count, capacity * 2, Self.keptCapacity)
        guard let grown = realloc(storage, wanted) else {
            preconditionFailure("memory ran out while \(wanted) bytes wait to be sent")
        }
        storage = grown
        capacity = wanted
    }

    /// Shows what waits at the front, at most `limit` bytes.
    func withFront<Result, Failure: Error>(
        _ limit: Int = .max, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = storage.map { UnsafeRawPointer($0 + head) }
        return try body(UnsafeRawBufferPointer(start: start, count: min(count, limit)))
    }

    package mutating func removeFirst(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "only what waits can be taken")
        head += count
        guard head == tail else { return }
        head = 0
        tail = 0
        if capacity > Self.keptCapacity {
            free(storage)
            storage = nil
            capacity = 0
        }
    }

    package mutating func takeAll() -> [UInt8] {
        let bytes = withFront { Array($0) }
        removeFirst(bytes.count)
        return bytes
    }
}
