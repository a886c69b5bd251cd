import TarnClient
import TarnModel

/// `tarn create`, `set` and `delete`: any object of any class.
enum ObjectCommands {
    private static let edits = """
        An edit is PROPERTY=VALUE; PROPERTY+=N and -=N of a whole number; LIST+=VALUE, LIST-=VALUE
        and LIST[INDEX]=VALUE; SET+=VALUE and SET-=VALUE; MAP[KEY]=VALUE and MAP-=KEY. A VALUE is
        what the schema says: text, true or false, a number, a UUID, a date, base64, the key of
        the object that a link leads to, or null. Text "null" stands in quotes of its own.
        """

    static let specs = [
        CommandSpec(
            "create", "CLASS EDIT...", .atLeast(1),
            options: [
                OptionSpec(
                    "in", value: "CLASS/KEY.PROPERTY",
                    "put it there at once; for a map with [KEY] behind it")
            ],
            "make an object",
            details: """
                One of the edits gives the primary key; a key that is a UUID may be left out.
                \(edits)
                """, run: create),
        CommandSpec(
            "set", "CLASS/KEY EDIT...", .atLeast(2), "change an object, in one transaction",
            details: edits, run: set),
        CommandSpec(
            "delete", "CLASS/KEY...", .atLeast(1),
            "delete objects, and what only they own", run: delete),
    ]

    @Sendable private static func create(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        var edits: [ObjectEdit] = []
        for operand in invocation.operands.dropFirst() { edits.append(try ObjectEdit(operand)) }
        let holder = try invocation.value("in").map(HolderAddress.init)
        let realm = try context.openRealm()
        var made: (className: String, key: PrimaryKey)?
        try context.write(in: realm) { transaction in
            let schema = try transaction.reader.schema.expect(invocation.operands[0])
            let keyName = schema.primaryKey.name
            let keys = edits.filter { $0.property == keyName }
            guard keys.count <= 1, keys.allSatisfy({ $0.entry == nil && $0.operation == .set })
            else { throw CommandError(.usage, "the key is given once, as \(keyName)=KEY") }
            let key: PrimaryKey
            if let given = keys.first {
                key = try TypedValue.key(given.value, of: schema)
            } else if schema.primaryKey.type == .uuid {
                key = .uuid(context.birth().key)
            } else {
                throw CommandError(.usage, "the primary key is missing: \(keyName)=KEY")
            }
            // Cells go into the creation, so that an object of unique values is never without them.
            var values: [InitialValue] = []
            var rest: [ObjectEdit] = []
            for edit in edits where edit.property != keyName {
                let property = try schema.expect(edit.property)
                let isFirst = !values.contains { $0.property == property.name }
                guard property.isCell, edit.operation == .set, edit.entry == nil, isFirst else {
                    rest.append(edit)
                    continue
                }
                let value = try TypedValue.read(
                    edit.value, as: property.type, of: "\(schema.name).\(property.name)",
                    in: transaction.reader.schema)
                values.append(InitialValue(property.name, value))
            }
            let object = try transaction.create(schema.name, key, values)
            made = (schema.name, key)
            for edit in rest { try transaction.apply(edit, to: object) }
            if let holder { try holder.put(object, into: &transaction) }
            return try deed("created", "Created", [object], transaction.reader)
        }
        guard let made, try hasLeft(made.className, made.key, realm) else { return }
        context.note(
            "No subscription here selects it: it is on the server only. "
                + "tarn subscribe NAME \(made.className) brings it back.")
    }

    /// Whether an object that was just made is not here any more, since the server has it and would
    /// not send it.
    private static func hasLeft(
        _ className: String, _ key: PrimaryKey, _ realm: any CommandRealm
    ) throws -> Bool {
        guard !realm.replica.isLocal else { return false }
        return try realm.replica.read { reader in
            try reader.status().unsentCount == 0 && reader.find(className, key) == nil
        }
    }

    @Sendable private static func set(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let address = try ObjectAddress(invocation.operands[0])
        var edits: [ObjectEdit] = []
        for operand in invocation.operands.dropFirst() { edits.append(try ObjectEdit(operand)) }
        let realm = try context.openRealm()
        try context.write(in: realm) { transaction in
            let object = try address.object(in: transaction.reader)
            for edit in edits { try transaction.apply(edit, to: object) }
            return try deed("set", "Set", [object], transaction.reader)
        }
    }

    @Sendable private static func delete(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        var addresses: [ObjectAddress] = []
        for operand in invocation.operands { addresses.append(try ObjectAddress(operand)) }
        let realm = try context.openRealm()
        try context.write(in: realm) { transaction in
            var objects: [ObjectID] = []
            for address in addresses {
                let object = try address.object(in: transaction.reader)
                if !objects.contains(object) { objects.append(object) }
            }
            let told = try deed("deleted", "Deleted", objects, transaction.reader)
            for object in objects { try transaction.delete(object) }
            return told
        }
    }

    private static func deed(
        _ action: String, _ word: String, _ objects: [ObjectID], _ reader: ReplicaReader
    ) throws -> Deed {
        var lines: [String] = []
        var members: [[JSONValue.Member]] = []
        for object in objects {
            let (name, key) = (try reader.classSchema(of: object).name, try reader.key(of: object))
            lines.append("\(word) \(name)/\("\(key)".escaped)")
            members.append([.init(name: "object", value: try reader.json(of: object))])
        }
        return Deed(action, lines, members)
    }
}
