import TarnCBOR
package import TarnModel

/// What somebody holds of a subscription, in little: its objects are spread over buckets by a hash
/// of class and key, and each bucket has the sum of its objects' hashes. Where two have the same
/// sum, they hold the same in it, but by an accident of one in 2^64.
package struct ContentDigest: Hashable, Sendable {
    /// As many as 16 objects each for 65,536 of them; the digest fits into a message with that.
    package static let bucketCountMax = 4_096
    package static let bucketCountMin = 8
    /// Objects a bucket, as far as the maximum allows: what differs is sent with so many others.
    private static let objectsABucket = 16

    /// By bucket, modulo 2^64.
    package private(set) var sums: [UInt64]

    /// Of nothing.
    package init(bucketCount: Int) {
        precondition(Self.isBucketCount(bucketCount), "a digest has so many buckets")
        sums = Array(repeating: 0, count: bucketCount)
    }

    /// Eight bytes a bucket, high first. Nil where that is no number of buckets.
    package init?(bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: 8), Self.isBucketCount(bytes.count / 8) else { return nil }
        sums = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    package var bytes: [UInt8] { sums.flatMap(\.bigEndianBytes) }

    package static func isBucketCount(_ count: Int) -> Bool {
        (bucketCountMin...bucketCountMax).contains(count) && count & (count - 1) == 0
    }

    /// How many buckets suit so many objects.
    package static func bucketCount(forObjects count: Int) -> Int {
        var buckets = bucketCountMin
        while buckets < bucketCountMax, buckets * objectsABucket < count { buckets *= 2 }
        return buckets
    }

    package mutating func add(_ object: HeldObject, sha256: (_ bytes: [UInt8]) -> [UInt8]) {
        let bucket = object.name.bucket(of: sums.count, sha256: sha256)
        sums[bucket] &+= object.hash(sha256: sha256)
    }

    /// The buckets whose sums are others; both digests have the same number of buckets.
    package func difference(to other: ContentDigest) -> BucketSet {
        var buckets = BucketSet(of: sums.count)
        for (index, (left, right)) in zip(sums, other.sums).enumerated() where left != right {
            buckets.insert(index)
        }
        return buckets
    }
}

/// An object's class and key, by which it is put into a bucket.
package struct HeldName: Sendable {
    package let className: String
    package let key: PrimaryKey

    package init(className: String, key: PrimaryKey) {
        self.className = className
        self.key = key
    }

    /// The place among so many buckets, a power of two.
    package func bucket(of count: Int, sha256: (_ bytes: [UInt8]) -> [UInt8]) -> Int {
        var writer = CBORWriter()
        writer.writeArrayHeader(2)
        writer.write(className)
        writer.write(key)
        return Int(firstEight(of: sha256(writer.bytes)) & UInt64(count - 1))
    }
}

/// An object as a digest takes it in: what an arrival says, by names instead of numbers.
package struct HeldObject: Sendable {
    package let name: HeldName
    package let life: TransactionID
    package let isRoot: Bool
    /// Those properties that do not hold what they have from the beginning, by name.
    private var contents: [Text: PropertyContent] = [:]

    package init(name: HeldName, life: TransactionID, isRoot: Bool) {
        self.name = name
        self.life = life
        self.isRoot = isRoot
    }

    /// A property that holds what the schema gives it is not counted: one side may not know it yet.
    package mutating func set(_ content: PropertyContent, of property: PropertySchema) {
        switch content {
        case .value(let value):
            guard value != property.initialValue else { return }
            contents[Text(property.name)] = .value(value.withoutLife)
        case .list(let slots):
            guard !slots.isEmpty else { return }
            contents[Text(property.name)] = content
        case .entries(let entries):
            guard !entries.isEmpty else { return }
            let plain = entries.map {
                Entry(entry: $0.entry.withoutLife, value: $0.value.withoutLife)
            }
            contents[Text(property.name)] = .entries(plain.sorted { $0.entry < $1.entry })
        }
    }

    /// The first eight bytes of SHA-256 over `[class, key, replica, sequence, root, {name: content,
    /// ...}]`, the names in the order of their UTF-8 bytes.
    func hash(sha256: (_ bytes: [UInt8]) -> [UInt8]) -> UInt64 {
        var writer = CBORWriter(reserving: 256)
        writer.writeArrayHeader(6)
        writer.write(name.className)
        writer.write(name.key)
        writer.write(bytes: life.replica.rawValue.bigEndianBytes)
        writer.write(life.sequence)
        writer.write(isRoot)
        writer.writeMapHeader(contents.count)
        for (name, content) in contents.sorted(by: { $0.key < $1.key }) {
            writer.write(name.string)
            write(content, &writer)
        }
        return firstEight(of: sha256(writer.bytes))
    }

    /// A value, or `32768([[replica, sequence, ordinal, replica, sequence, ordinal, value], ...])`:
    /// slot, element, value; or `32770([entry, value, ...])`, by the order of the entries.
    private func write(_ content: PropertyContent, _ writer: inout CBORWriter) {
        switch content {
        case .value(let value): writer.write(value)
        case .list(let slots):
            writer.writeTag(ViewDelta.listTag)
            writer.writeArrayHeader(slots.count)
            for slot in slots {
                writer.writeArrayHeader(7)
                write(slot.slot, &writer)
                write(slot.element.firstSlot, &writer)
                writer.write(slot.value.withoutLife)
            }
        case .entries(let entries):
            writer.writeTag(ViewDelta.entriesTag)
            writer.writeArrayHeader(entries.count * 2)
            for entry in entries {
                writer.write(entry.entry)
                writer.write(entry.value)
            }
        }
    }

    private func write(_ slot: SlotID, _ writer: inout CBORWriter) {
        writer.write(bytes: slot.transaction.replica.rawValue.bigEndianBytes)
        writer.write(slot.transaction.sequence)
        writer.write(UInt64(slot.ordinal))
    }
}

private func firstEight(of hash: [UInt8]) -> UInt64 {
    hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
}
