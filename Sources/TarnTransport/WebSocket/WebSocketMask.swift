/// The four bytes that a client's payload is mixed with (RFC 6455, section 5.3).
package struct WebSocketMask: Equatable, Sendable {
    /// The key's first byte is the lowest.
    let key: UInt32

    package init(key: UInt32) {
        self.key = key
    }

    /// Copies what may be masked; without a mask it is a plain copy. The two may be one memory.
    static func copy(
        _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer,
        mask: WebSocketMask?, phase: Int
    ) {
        precondition(target.count >= source.count, "room for what is copied")
        guard let start = target.baseAddress else { return }
        if let mask {
            mask.copy(source, to: start, phase: phase)
        } else if UnsafeRawPointer(start) != source.baseAddress {
            target.copyMemory(from: source)
        }
    }

    /// Copies `source` to `target`, mixed; the same again gives the original. `phase` is how many
    /// bytes of the payload came before. The two may be the same memory.
    ///
    /// Four words at a time, which become two vectors: that takes half of what a word at a time
    /// does, and a byte at a time takes about six times as long as that.
    func copy(
        _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer, phase: Int
    ) {
        guard let start = source.baseAddress else { return }
        let turn = UInt32(8 * (phase & 3))
        let turned = turn == 0 ? key : key >> turn | key << (32 - turn)
        let word = (UInt64(turned) | UInt64(turned) << 32).littleEndian
        func load(_ offset: Int) -> UInt64 {
            start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        func store(_ value: UInt64, _ offset: Int) {
            target.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
        }
        var offset = 0
        while offset &+ 32 <= source.count {
            // All are loaded before any is stored, as the two may be one memory.
            let one = load(offset)
            let two = load(offset &+ 8)
            let three = load(offset &+ 16)
            let four = load(offset &+ 24)
            store(one ^ word, offset)
            store(two ^ word, offset &+ 8)
            store(three ^ word, offset &+ 16)
            store(four ^ word, offset &+ 24)
            offset &+= 32
        }
        while offset &+ 8 <= source.count {
            store(load(offset) ^ word, offset)
            offset &+= 8
        }
        if offset &+ 4 <= source.count {
            let half = start.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            target.storeBytes(
                of: half ^ UInt32(truncatingIfNeeded: word), toByteOffset: offset, as: UInt32.self)
            offset &+= 4
        }
        var rest = UInt64(littleEndian: word)
        while offset < source.count {
            target.storeBytes(
                of: start.load(fromByteOffset: offset, as: UInt8.self)
                    ^ UInt8(truncatingIfNeeded: rest), toByteOffset: offset, as: UInt8.self)
            rest &>>= 8
            offset &+= 1
        }
    }
}
