import TarnCBOR
package import TarnModel

extension SealedTransaction {
    /// As it is uploaded: `[body, hash, clock ticks]`, and its standing where it is not new.
    package func encoded() -> [UInt8] {
        var writer = CBORWriter(reserving: body.count + 48)
        writer.writeArrayHeader(standing == .new ? 3 : 4)
        writer.write(bytes: body)
        writer.write(bytes: hash.bytes)
        writer.write(clockTicks)
        if standing != .new { writer.write(standing.rawValue) }
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(FormatError) {
        do throws(CBORError) {
            var reader = CBORReader(
                bytes, limits: CBORLimits(stringBytesMax: TransactionLimits.bodyBytesReadMax))
            let start = reader.offset
            let count = try reader.readArrayHeader()
            guard count == 3 || count == 4 else { throw CBORError(.malformed, at: start) }
            let body = try reader.readBytes()
            let hash = try reader.readChainHash()
            let ticks = try reader.readUInt64()
            var standing = Standing.new
            if count == 4 {
                let start = reader.offset
                guard let known = Standing(rawValue: try reader.readUInt64()), known != .new else {
                    throw CBORError(.malformed, at: start)
                }
                standing = known
            }
            try reader.expectEnd()
            self.init(body: body, hash: hash, clockTicks: ticks, standing: standing)
        } catch {
            throw FormatError(reading: "upload", .cbor(error))
        }
    }
}
