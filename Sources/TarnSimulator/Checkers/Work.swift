import TarnModel

/// What a `write` returned for: one and the same under whatever name it goes, on whatever disks
/// it lies, and however often a server has to decide it.
struct Work: Hashable, Comparable, CustomStringConvertible {
    let number: Int

    static func < (left: Work, right: Work) -> Bool { left.number < right.number }

    var description: String { "work \(number)" }
}

/// A work by one of its names: its bytes, which a hash names.
struct Wording {
    let work: Work
    let transaction: Transaction
    let realm: Int
    /// How often the server had been restored when the work got this name; nil for its first one.
    let renamed: Int?
}

/// What makes each work of a world with mishaps another one, so that it is known by whatever name:
/// an object of which there is only one, or a value.
enum Mark {
    static let schema = ClassSchema("Mark", primaryKey: PropertySchema("id", .int), properties: [])
    /// Of what the server must refuse: that property is nowhere.
    static let nonsense = "nonsense"

    /// Nil where it has none.
    static func number(of transaction: Transaction) -> Int64? {
        for change in transaction.changes {
            switch change {
            case .create(schema.name, .int(let number), _), .set(_, nonsense, .int(let number)):
                return number
            default: break
            }
        }
        return nil
    }
}
