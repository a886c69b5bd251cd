import TarnModel
import TarnStorage

/// All that lives in a realm, in one line: keys, and in parentheses what is not as it began; then
/// what the schema has beside the matrix's classes.
struct RealmSketch {
    let store: MemoryRealmStore

    func line() throws -> String {
        var objects: [String] = []
        for (number, schema) in store.schema.classes.enumerated() {
            for object in try store.objects(in: number) {
                let contents = try contents(of: object, schema)
                let key = Self.shown(Value(try store.key(of: object)))
                objects.append(
                    contents.isEmpty ? key : "\(key)(\(contents.joined(separator: ", ")))")
            }
        }
        let living = objects.sorted().joined(separator: " ")
        return ([living] + additions()).joined(separator: "; ")
    }

    private func additions() -> [String] {
        let known = [Matrix.partClass, Matrix.thingClass]
        return store.schema.classes.flatMap { schema -> [String] in
            let present = known.first { $0.name == schema.name }
            let added = schema.properties.filter { present?.property($0.name) == nil }
                .map { "\(schema.name).\($0.name) \(Self.shown($0))" }
            guard present == nil else { return added }
            return [schema.isEmbedded ? "\(schema.name) parts" : schema.name] + added
        }.sorted()
    }

    private static func shown(_ property: PropertySchema) -> String {
        var words = property.isCell ? [] : ["\(property.kind)"]
        words.append("\(property.type)")
        if property.isOptional && property.isCell { words.append("optional") }
        if property.isUnique { words.append("unique") }
        if property.isOwning { words.append("owning") }
        return words.joined(separator: " ")
    }

    private func contents(of object: ObjectID, _ schema: ClassSchema) throws -> [String] {
        let values = try store.values(of: object)
        var contents: [String] = []
        for (number, property) in schema.properties.enumerated() {
            let list = ListID(object: object, property: number)
            let shown: [String]
            switch property.kind {
            case .value:
                guard values[number] != property.initialValue else { continue }
                contents.append("\(property.name) \(Self.shown(values[number]))")
                continue
            case .list: shown = try store.liveElements(in: list).map { Self.shown($0.value) }
            case .set: shown = try store.entries(in: list).map { Self.shown($0.entry) }
            case .map:
                shown = try store.entries(in: list).map {
                    "\(Self.shown($0.entry)):\(Self.shown($0.value))"
                }
            }
            if !shown.isEmpty {
                contents.append("\(property.name) \(shown.joined(separator: " "))")
            }
        }
        return contents
    }

    private static func shown(_ value: Value) -> String {
        switch value {
        case .string(let text): text.string
        case .int(let number): "\(number)"
        case .link(let link): shown(Value(link.key))
        case .null: "null"
        default: "\(value)"
        }
    }
}
