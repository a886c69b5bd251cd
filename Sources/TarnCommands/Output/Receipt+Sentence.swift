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
            }
        return "A change to \(place) of \(key) was lost: \(why)."
    }

    package var json: JSONValue {
        let why: JSONValue =
            switch reason {
            case .objectDeleted: "objectDeleted"
            case .laterValue: "laterValue"
            case .elementGone: "elementGone"
            case .targetDeleted: "targetDeleted"
            }
        return [
            "class": .string(className), "key": .string("\(key)"),
            "property": .optional(property), "reason": why,
        ]
    }
}
