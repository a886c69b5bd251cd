import TarnCBOR

/// Writes one message: an array of its kind and its fields.
struct MessageWriter {
    var cbor = CBORWriter(reserving: 64)

    mutating func begin(_ kind: UInt64, fields: Int) {
        cbor.writeArrayHeader(fields + 1)
        cbor.write(kind)
    }

    /// A message of a channel, whose number stands first among the fields; `fields` counts those
    /// that follow.
    mutating func begin(_ kind: UInt64, _ channel: Channel, fields: Int) {
        begin(kind, fields: fields + 1)
        cbor.write(channel.number)
    }

    /// `total, offset, bytes`: three fields.
    mutating func write(_ part: Part) {
        cbor.write(part.total)
        cbor.write(part.offset)
        cbor.write(bytes: part.bytes)
    }
}
