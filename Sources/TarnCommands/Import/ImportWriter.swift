import TarnClient
import TarnModel
import TarnStorage

/// Writes what an import says into a transaction. Keys decide: what is there already is changed
/// where it differs, so that an import that was cut short is simply done again.
struct ImportWriter {
    enum Pass {
        /// Classes, and objects with all that leads nowhere.
        case objects
        /// Links and collections, which need what they lead to; and parts, which need their place.
        case links
    }

    let pass: Pass

    /// - Returns: whether the line is written whole: else it is written again in the next
    ///   transaction, which goes on with it.
    func write(_ line: ImportLine, into transaction: inout WriteTransaction) throws -> Bool {
        switch line {
        case .schema(let schema):
            if pass == .objects { try transaction.addClass(schema) }
            return true
        case .object(let object):
            let schema = try Self.schema(of: object, transaction)
            guard !schema.isEmbedded else {
                throw CommandError(
                    .badData, "\(schema.name) is a part: it stands within the object that has it")
            }
            if pass == .objects { try object.checkThatEachStandsOnce() }
            return try write(object, schema, mayBreak: true, into: &transaction)
        }
    }

    private static func schema(
        of object: ImportedObject, _ transaction: WriteTransaction
    ) throws(CommandError) -> ClassSchema {
        guard let schema = transaction.reader.schema[object.className] else {
            throw CommandError(.badData, "there is no class \(object.className)")
        }
        return schema
    }

    /// First what stands within it.
    /// - Parameter mayBreak: whether the transaction may end in its midst. Not in that of a part,
    ///   nor behind one: before its owner has it, at the end, it has no place to last in.
    private func write(
        _ imported: ImportedObject, _ schema: ClassSchema, mayBreak: Bool,
        into transaction: inout WriteTransaction
    ) throws -> Bool {
        let within = try imported.parts().map { ($0, try Self.schema(of: $0, transaction)) }
        for (object, schema) in within where !schema.isEmbedded {
            let isWhole = try write(object, schema, mayBreak: mayBreak, into: &transaction)
            guard isWhole else { return false }
        }
        for (part, schema) in within where schema.isEmbedded {
            _ = try write(part, schema, mayBreak: false, into: &transaction)
        }
        let object = ImportedContent(
            imported, schema, in: transaction.reader.schema, mayBreak: mayBreak)
        let key = try object.key()
        let plain = try object.plainValues()
        let present = try transaction.reader.find(schema.name, key)
        let isOfPass = pass == .objects ? !schema.isEmbedded : schema.isEmbedded
        if isOfPass {
            let isWhole = try write(
                plain, key, schema, present, mayBreak: mayBreak, into: &transaction)
            guard isWhole else { return false }
        }
        guard pass == .links else {
            try object.check()
            return true
        }
        guard let present = try transaction.reader.find(schema.name, key) else {
            throw CommandError(.notFound, "\(schema.name) \(key) was deleted meanwhile")
        }
        return try object.writeLinks(on: present, into: &transaction)
    }

    /// - Returns: whether all is written: several long values may be more than a transaction has
    ///   room for.
    private func write(
        _ values: [InitialValue], _ key: PrimaryKey, _ schema: ClassSchema, _ present: ObjectID?,
        mayBreak: Bool, into transaction: inout WriteTransaction
    ) throws -> Bool {
        guard let present else {
            let room = ImportCommand.room(
                for: values.lazy.map(\.value), changesEach: 0, in: transaction)
            let first = mayBreak ? values.prefix(room) : values[...]
            _ = try transaction.create(schema.name, key, Array(first))
            return first.count == values.count
        }
        for value in values
        where try transaction.reader.value(value.property, of: present) != value.value {
            let hasRoom = ImportCommand.room(for: [value.value], in: transaction) == 1
            guard hasRoom || !mayBreak else { return false }
            try transaction.set(value.property, of: present, to: value.value)
        }
        return true
    }
}
