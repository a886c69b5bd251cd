package import TarnModel

extension Override {
    /// What was lost, and to what, for a person.
    package var sentence: String {
        let place = property.map { "\(className).\($0)" } ?? className
        let why =
            switch reason {
            case .objectDeleted: "the object was deleted meanwhile"
            case .laterValue: "a later value stands"
            case .elementGone: "the element was removed or moved by someone else"
            case .targetDeleted: "the object that it leads to was deleted meanwhile"
            case .ownerDeleted: "what it was made for was deleted meanwhile"
            case .valueIsNull: "there was nothing to add to"
            }
        return "A change to \(place) of \(key) was lost: \(why)\(toWhom)."
    }

    /// Whose the value is that stands, and which, where that is known.
    private var toWhom: String {
        guard let winner else { return "" }
        guard let value = winner.value, reason == .laterValue else { return ", by \(winner.user)" }
        return ", \(Self.text(value)) by \(winner.user)"
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .null: "nothing"
        case .bool(let flag): "\(flag)"
        case .int(let number): "\(number)"
        case .string(let text): "\"\(text.string)\""
        case .uuid(let uuid): "\(uuid)"
        case .date(let time): "\(time)"
        case .double(let real): "\(real)"
        case .data(let bytes): "\(bytes.count) bytes"
        case .link(let link): "\(link.key)"
        }
    }

    package var json: JSONValue {
        let why: JSONValue =
            switch reason {
            case .objectDeleted: "objectDeleted"
            case .laterValue: "laterValue"
            case .elementGone: "elementGone"
            case .targetDeleted: "targetDeleted"
            case .ownerDeleted: "ownerDeleted"
            case .valueIsNull: "valueIsNull"
            }
        return [
            "class": .string(className), "key": .string("\(key)"),
            "property": .optional(property), "reason": why, "by": .optional(winner?.user),
            "winner": .optional(winner?.value.map(Self.text)),
        ]
    }
}
