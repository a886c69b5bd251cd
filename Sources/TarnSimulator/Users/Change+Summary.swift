import TarnModel

extension Change {
    /// The change in a few words, for the trace.
    var summary: String {
        switch self {
        case .addClass(let schema): "class \(schema.name)"
        case .create(let className, let key, let values):
            "create \(className) \(key) " + values.map(\.property).joined(separator: ",")
        case .set(let name, let property, let value):
            "set \(name.className) \(name.key) \(property) \(value.summary)"
        case .delete(let name): "delete \(name.className) \(name.key)"
        case .insert(let name, let property, _, _, let value):
            "insert \(name.className) \(name.key) \(property) \(value.summary)"
        case .move(let name, let property, _, _, _):
            "move \(name.className) \(name.key) \(property)"
        case .remove(let name, let property, _):
            "remove \(name.className) \(name.key) \(property)"
        case .increment(let name, let property, let amount):
            "add \(amount) to \(name.className) \(name.key) \(property)"
        case .setEntry(let name, let property, let entry, let value):
            "put \(entry.summary): \(value.summary) into \(name.className) \(name.key) "
                + property
        case .removeEntry(let name, let property, let entry):
            "take \(entry.summary) out of \(name.className) \(name.key) \(property)"
        case .deleteOwned(let name): "delete owned \(name.className) \(name.key)"
        }
    }
}

extension Value {
    fileprivate var summary: String {
        switch self {
        case .link(let link): "-> \(link.key)"
        case .string(let text): "'\(text.string.prefix(12))'"
        default: "\(self)"
        }
    }
}
