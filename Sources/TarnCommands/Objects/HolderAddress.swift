import TarnClient
import TarnModel

/// `CLASS/KEY.PROPERTY`, and for a map `CLASS/KEY.PROPERTY[KEY]`: where a new object is put.
struct HolderAddress {
    private let owner: ObjectAddress
    private let property: String
    private let entry: String?

    init(_ text: String) throws(CommandError) {
        func wrong() -> CommandError {
            CommandError(.usage, "\"\(text)\" is no place: CLASS/KEY.PROPERTY, as in Person/7.home")
        }
        var place = text[...]
        var entry: String?
        // A key of the owner may have points and brackets in it, too: what is last counts.
        if place.last == "]" {
            guard let open = place.lastIndex(of: "[") else { throw wrong() }
            entry = String(place[open...].dropFirst().dropLast())
            place = place[..<open]
        }
        guard let point = place.lastIndex(of: ".") else { throw wrong() }
        owner = try ObjectAddress(String(place[..<point]))
        property = String(place[point...].dropFirst())
        self.entry = entry
    }

    func put(_ part: ObjectID, into transaction: inout WriteTransaction) throws {
        let object = try owner.object(in: transaction.reader)
        let schema = try transaction.reader.classSchema(of: object)
        let kind = try schema.expect(property).kind
        let link = try transaction.link(to: part)
        switch (kind, entry) {
        case (.value, nil): try transaction.set(property, of: object, to: link)
        case (.list, nil): try transaction.append(link, to: property, of: object)
        case (.set, nil): try transaction.insert(member: link, into: property, of: object)
        case (.map, let key?): try transaction.set(link, under: key, in: property, of: object)
        case (.map, nil):
            throw CommandError(
                .badData,
                "\(schema.name).\(property) is a map: its key stands behind it in brackets")
        case (_, .some):
            throw CommandError(.badData, "\(schema.name).\(property) is no map")
        }
    }
}
