package import TarnModel
package import TarnStorage

extension Value {
    /// The value as the columns of a property or element of that type hold it.
    /// - Parameter number: tells the number of the object that a link leads to.
    package func columns(
        _ type: ValueType, number: (Link) throws(StorageError) -> Int64
    ) throws(StorageError) -> [SQLiteValue] {
        switch (self, type) {
        case (.null, .date): return [.null, .null]
        case (.null, _): return [.null]
        case (.bool(let value), .bool): return [.flag(value)]
        case (.int(let value), .int): return [.int(value)]
        case (.string(let text), .string): return [.text(text.string)]
        case (.uuid(let value), .uuid): return [.blob(value.bytes)]
        case (.double(let value), .double): return [.number(value)]
        case (.data(let bytes), .data): return [.blob(bytes)]
        case (.date(let time), .date): return [.int(time.seconds), .int(Int64(time.nanoseconds))]
        case (.link(let link), .link): return [.int(try number(link))]
        default:
            throw .corrupt("a value is not of its property's type", while: "writing a value")
        }
    }
}

extension PrimaryKey {
    package var column: SQLiteValue {
        switch self {
        case .int(let value): .int(value)
        case .string(let text): .text(text.string)
        case .uuid(let value): .blob(value.bytes)
        }
    }
}

extension SQLiteRow {
    /// The value of a type from its columns, of which this is the first.
    /// - Parameter key: tells the key of the object that a link leads to.
    package func value(
        _ column: Int, _ type: ValueType, key: (Int64) throws(StorageError) -> PrimaryKey
    ) throws(StorageError) -> Value {
        if isNull(column) { return .null }
        switch type {
        case .bool: return .bool(try flag(column))
        case .int: return .int(try int(column))
        case .string: return .string(Text(try text(column)))
        case .uuid: return .uuid(try uuid(column))
        case .double: return .double(try number(column))
        case .data: return .data(try blob(column))
        case .date:
            guard let nanoseconds = Int32(exactly: try int(column + 1)),
                let time = Timestamp(seconds: try int(column), nanoseconds: nanoseconds)
            else { throw unexpected(column + 1) }
            return .date(time)
        case .link: return .link(Link(key: try key(try int(column)), life: nil))
        }
    }

    /// A primary key of whatever type is there.
    package func key(_ column: Int) throws(StorageError) -> PrimaryKey {
        switch try value(column) {
        case .int(let value): return .int(value)
        case .text(let text): return .string(Text(text))
        case .blob: return .uuid(try uuid(column))
        case .null, .real: throw unexpected(column)
        }
    }

    private func uuid(_ column: Int) throws(StorageError) -> UUIDValue {
        guard let value = UUIDValue(bytes: try blob(column)) else { throw unexpected(column) }
        return value
    }
}
