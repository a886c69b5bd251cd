import TarnCBOR
package import TarnModel

extension SealedTransaction {
    /// As it is uploaded: `[body, hash, clock ticks]`.
    package func encoded() -> [UInt8] {
        var writer = CBORWriter(reserving: body.count + 48)
        writer.writeArrayHeader(3)
        writer.write(bytes: body)
        writer.write(bytes: hash.bytes)
        writer.write(clockTicks)
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(FormatError) {
        do throws(CBORError) {
            var reader = CBORReader(
                bytes, limits: CBORLimits(stringBytesMax: TransactionLimits.bodyBytesMax))
            try reader.expectArray(3)
            let body = try reader.readBytes()
            let hash = try reader.readChainHash()
            let ticks = try reader.readUInt64()
            try reader.expectEnd()
            self.init(body: body, hash: hash, clockTicks: ticks)
        } catch {
            throw FormatError(reading: "upload", .cbor(error))
        }
    }
}
