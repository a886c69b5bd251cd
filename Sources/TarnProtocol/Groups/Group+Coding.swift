import TarnCBOR
package import TarnModel

extension Group {
    /// `[from, to, time, [[number, class], ...], [[subscription, full, delta], ...],
    /// [receipt, ...], [[subscription, sentence], ...]]`.
    package func encoded() -> [UInt8] {
        var writer = CBORWriter(reserving: 128 + views.reduce(0) { $0 + $1.delta.count })
        writer.writeArrayHeader(7)
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
            writer.write(view.isFull)
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
        try reader.expectArray(7)
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
            let isFull = try reader.readBool()
            views.append(
                GroupView(
                    subscription: subscription, isFull: isFull, delta: try reader.readBytes()))
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
            faults: faults)
    }
}
