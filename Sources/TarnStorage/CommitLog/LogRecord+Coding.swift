import TarnCBOR
package import TarnModel

extension LogRecord {
    package static let format: UInt64 = 1

    /// `[1, salt, transaction, hash, ticks, user, outcome, effects]`. The realm and the version are
    /// not in it: they are what a record is found by.
    package var encoded: [UInt8] {
        var writer = CBORWriter(reserving: 128)
        writer.writeArrayHeader(8)
        writer.write(Self.format)
        writer.write(bytes: point.salt.rawValue.bigEndianBytes)
        writer.write(origin.transaction)
        writer.write(bytes: origin.hash.bytes)
        writer.write(origin.ticks)
        writer.write(origin.user)
        writer.write(outcome)
        writer.write(effects, of: origin.transaction)
        return writer.bytes
    }

    package init(
        _ bytes: [UInt8], realm: RealmID, version: Version
    ) throws(FormatError) {
        do throws(CBORError) {
            self = try Self.read(CBORReader(bytes), realm: realm, version: version)
        } catch {
            throw FormatError(reading: "log record", .cbor(error))
        }
    }

    private static func read(
        _ reader: CBORReader, realm: RealmID, version: Version
    ) throws(CBORError) -> LogRecord {
        var reader = reader
        try reader.expectArray(8)
        let start = reader.offset
        guard try reader.readUInt64() == format else { throw CBORError(.malformed, at: start) }
        let salt = Salt(try reader.readEightBytes())
        let transaction = try reader.readTransactionID()
        let hash = try reader.readChainHash()
        let ticks = try reader.readUInt64()
        let user = try reader.readText()
        let outcome = try reader.readOutcome()
        let effects = try reader.readEffects(of: transaction)
        try reader.expectEnd()
        return LogRecord(
            realm: realm, point: ResumePoint(version: version, salt: salt),
            origin: Origin(transaction: transaction, hash: hash, ticks: ticks, user: user),
            outcome: outcome, effects: effects)
    }
}
