import TarnModel

/// The least part of a query's text that means something.
enum Token: Hashable, Sendable {
    /// A name or a keyword, which only its place tells apart.
    case word(String)
    case int(Int64)
    case double(Real)
    case date(Timestamp)
    case string(Text)
    /// `B64"…"`
    case data([UInt8])
    /// `$user`
    case user
    /// `$0`
    case argument(Int)
    /// `@count`
    case aggregate(String)
    case comparator(Comparator)
    /// `[c]`
    case fold
    case and
    case or
    case not
    case open
    case close
    case openBrace
    case closeBrace
    case comma
    case dot
    case end
}

struct PlacedToken: Hashable, Sendable {
    let token: Token
    let position: TextPosition
}

extension Token: CustomStringConvertible {
    /// How an error message names it.
    var description: String {
        switch self {
        case .word(let word): "\"\(word.prefix(SchemaName.bytesMax))\""
        case .int(let value): String(value)
        case .double(let value): value.description
        case .date(let time): time.description
        case .string: "a string"
        case .data: "data"
        case .user: "$user"
        case .argument(let number): "$\(number)"
        case .aggregate(let name): "@\(name.prefix(SchemaName.bytesMax))"
        case .comparator(let comparator): "\"\(comparator.rawValue)\""
        case .fold: "\"[c]\""
        case .and: "\"&&\""
        case .or: "\"||\""
        case .not: "\"!\""
        case .open: "\"(\""
        case .close: "\")\""
        case .openBrace: "\"{\""
        case .closeBrace: "\"}\""
        case .comma: "\",\""
        case .dot: "\".\""
        case .end: "the end"
        }
    }
}
