import TarnCBOR
package import TarnModel

extension Group {
    /// `[from, to, time, [[number, class], ...], [[subscription, replaced, delta], ...],
    /// [receipt, ...], [[subscription, sentence], ...]]`, and in a series that goes on
    /// `[cursor, done, total]` behind that.
    package func encoded() -> [UInt8] {
        var writer = CBORWriter(reserving: 128 + views.reduce(0) { $0 + $1.delta.count })
        writer.writeArrayHeader(progress == nil ? 7 : 8)
        writer.write(from)
        writer.write(to)
        writer.write(time)
        writer.writeArrayHeader(classes.count)
        for entry in classes {
            writer.writeArrayHeader(2)
            writer.write(entry.number)
            writer.write(entry.schema)
        }
        writer.writeArrayHeader(views.count)
        for view in views {
            writer.writeArrayHeader(3)
            writer.write(view.subscription)
            writer.write(view.replaced)
            writer.write(bytes: view.delta)
        }
        writer.writeArrayHeader(receipts.count)
        for receipt in receipts { writer.write(receipt) }
        writer.writeArrayHeader(faults.count)
        for fault in faults {
            writer.writeArrayHeader(2)
            writer.write(fault.subscription)
            writer.write(fault.sentence)
        }
        if let progress {
            writer.writeArrayHeader(3)
            writer.write(bytes: progress.cursor)
            writer.write(progress.done)
            writer.write(progress.total)
        }
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(FormatError) {
        do throws(CBORError) {
            var reader = CBORReader(
                bytes, limits: CBORLimits(stringBytesMax: ProtocolLimits.groupBytesMax))
            try self.init(reading: &reader)
            try reader.expectEnd()
        } catch {
            throw FormatError(reading: "group", .cbor(error))
        }
    }

    private init(reading reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        let count = try reader.readArrayHeader()
        guard count == 7 || count == 8 else { throw CBORError(.malformed, at: start) }
        let from = try reader.readResumePoint()
        let to = try reader.readResumePoint()
        let time = try reader.readInt64()
        var classes: [NumberedClass] = []
        for _ in 0..<(try reader.readArrayHeader()) {
            try reader.expectArray(2)
            let number = try reader.readInt()
            classes.append(NumberedClass(number: number, schema: try reader.readClassSchema()))
        }
        var views: [GroupView] = []
        for _ in 0..<(try reader.readArrayHeader()) {
            try reader.expectArray(3)
            let subscription = try reader.readInt64()
            let replaced = try reader.readReplacement()
            views.append(
                GroupView(
                    subscription: subscription, replaced: replaced, delta: try reader.readBytes()))
        }
        var receipts: [Receipt] = []
        for _ in 0..<(try reader.readArrayHeader()) { receipts.append(try reader.readReceipt()) }
        var faults: [SubscriptionFault] = []
        for _ in 0..<(try reader.readArrayHeader()) {
            try reader.expectArray(2)
            let subscription = try reader.readInt64()
            faults.append(
                SubscriptionFault(subscription: subscription, sentence: try reader.readText()))
        }
        self.init(
            from: from, to: to, time: time, classes: classes, views: views, receipts: receipts,
            faults: faults, progress: count == 8 ? try reader.readSeriesProgress() : nil)
    }
}

extension CBORWriter {
    /// False for nothing, true for everything, a byte string for buckets.
    fileprivate mutating func write(_ replaced: GroupView.Replacement) {
        switch replaced {
        case .nothing: write(false)
        case .everything: write(true)
        case .buckets(let buckets): write(bytes: buckets.bytes)
        }
    }
}

extension CBORReader {
    fileprivate mutating func readReplacement() throws(CBORError) -> GroupView.Replacement {
        guard try peekType() == .bytes else { return try readBool() ? .everything : .nothing }
        let start = offset
        guard let buckets = BucketSet(bytes: try readBytes()) else {
            throw CBORError(.malformed, at: start)
        }
        return .buckets(buckets)
    }

    fileprivate mutating func readSeriesProgress() throws(CBORError) -> SeriesProgress {
        try expectArray(3)
        let cursor = try readBytes()
        let done = try readUInt64()
        return SeriesProgress(cursor: cursor, done: done, total: try readUInt64())
    }
}
