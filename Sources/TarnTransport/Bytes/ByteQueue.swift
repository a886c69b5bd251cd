internal import Glibc

/// Bytes that wait: appended at the end, taken from the front. An empty queue has no memory, so
/// that thousands of quiet connections cost nothing; what it needs for a turn it has from its pool.
package struct ByteQueue: ~Copyable {
    private var storage: UnsafeMutableRawPointer?
    private var capacity = 0
    private var head = 0
    private var tail = 0
    private let pool: BufferPool?

    /// For one or two messages; what is longer gets a buffer of the pool. The allocator keeps
    /// blocks up to this size at hand.
    private static let smallCapacity = 1024

    package init() {
        pool = nil
    }

    /// - Parameter pool: of the loop on whose thread the queue is.
    init(pool: BufferPool) {
        self.pool = pool
    }

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
        let needed = waiting + count
        // Moved only where half of it is free, so that a queue that stays nearly full does not move
        // all of itself for every message.
        let isRoomy = needed <= capacity && head >= capacity / 2
        if let storage, head > 0 {
            memmove(storage, storage + head, waiting)
            head = 0
            tail = waiting
        }
        if isRoomy { return }
        if needed > Self.smallCapacity, needed <= BufferPool.byteCount,
            capacity < BufferPool.byteCount, let pool
        {
            let larger = pool.take()
            if let storage { larger.copyMemory(from: storage, byteCount: waiting) }
            free(storage)
            storage = larger
            capacity = BufferPool.byteCount
            return
        }
        let wanted = max(needed, capacity * 2, Self.smallCapacity)
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
        guard head == tail, let storage else { return }
        head = 0
        tail = 0
        if capacity == BufferPool.byteCount, let pool { pool.give(storage) } else { free(storage) }
        self.storage = nil
        capacity = 0
    }

    mutating func removeAll() { removeFirst(count) }

    package mutating func takeAll() -> [UInt8] {
        let bytes = withFront { Array($0) }
        removeFirst(bytes.count)
        return bytes
    }
}
