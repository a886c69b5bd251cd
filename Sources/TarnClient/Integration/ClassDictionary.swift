import TarnCBOR
import TarnModel
package import TarnProtocol

/// What the numbers of one connection mean: the server's number of a class, and the class with its
/// properties in the server's order. It begins empty with each opening of a realm.
package struct ClassDictionary: Sendable {
    private var classes: [Int: ClassSchema] = [:]

    package init() {}

    package mutating func add(_ entries: [NumberedClass]) {
        for entry in entries { classes[entry.number] = entry.schema }
    }

    /// `[[number, class], ...]`.
    func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.writeArrayHeader(classes.count)
        for (number, schema) in classes.sorted(by: { $0.key < $1.key }) {
            writer.writeArrayHeader(2)
            writer.write(number)
            writer.write(schema)
        }
        return writer.bytes
    }

    init(decoding bytes: [UInt8]) throws(CBORError) {
        var reader = CBORReader(bytes)
        for _ in 0..<(try reader.readArrayHeader()) {
            try reader.expectArray(2)
            let number = try reader.readInt()
            classes[number] = try reader.readClassSchema()
        }
        try reader.expectEnd()
    }

    /// Where a class of the server's is in the replica's schema; nil for an unknown number.
    func translation(of number: Int, into schema: Schema) -> ClassTranslation? {
        guard let remote = classes[number], let local = schema.number(of: remote.name),
            let present = schema.schema(number: local)
        else { return nil }
        return ClassTranslation(
            classNumber: local, schema: present,
            properties: remote.properties.map { present.number(of: $0.name) })
    }
}

/// A class of the server's in the replica's numbers.
struct ClassTranslation {
    let classNumber: Int
    let schema: ClassSchema
    /// By the server's property number.
    let properties: [Int?]

    /// The replica's number of a property; nil where there is none of such a kind.
    func property(_ number: Int, _ kinds: PropertyKind...) -> Int? {
        guard properties.indices.contains(number), let property = properties[number],
            kinds.contains(schema.properties[property].kind)
        else { return nil }
        return property
    }
}
