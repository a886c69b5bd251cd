import TarnClient
import TarnModel
import TarnQuery

/// What a line of an import says.
enum ImportLine {
    case schema(ClassSchema)
    case object(ImportedObject)

    /// A line as `tarn export` and `tarn query --json` print it, or an object alone.
    init(_ bytes: [UInt8]) throws(CommandError) {
        let json: JSONValue
        do throws(JSONReader.Fault) {
            json = try JSONReader.value(of: bytes)
        } catch {
            throw CommandError(.badData, error.sentence)
        }
        switch json.member("type") {
        case .string("class"):
            guard let described = json.member("class") else { throw Self.fault("names no class") }
            self = .schema(try ClassSchema(json: described))
        case .string("object"):
            guard let object = json.member("object") else { throw Self.fault("holds no object") }
            self = .object(try ImportedObject(object))
        case nil: self = .object(try ImportedObject(json))
        default: throw Self.fault("is neither a class nor an object")
        }
    }

    private static func fault(_ what: String) -> CommandError {
        CommandError(.badData, "the line \(what)")
    }
}

/// An object of an import; without values where it is only led to.
struct ImportedObject {
    let className: String
    let key: JSONValue
    let values: [JSONValue.Member]

    init(_ json: JSONValue) throws(CommandError) {
        guard case .string(let name)? = json.member("class"), let key = json.member("key") else {
            throw CommandError(.badData, "an object has a \"class\" and a \"key\"")
        }
        className = name
        self.key = key
        switch json.member("values") {
        case nil: values = []
        case .object(let members)?: values = members
        default: throw CommandError(.badData, "an object's \"values\" are members")
        }
    }

    /// The objects with values that stand within this one: not those that it only leads to.
    func parts() throws(CommandError) -> [ImportedObject] {
        var parts: [ImportedObject] = []
        for member in values { try Self.add(member.value, to: &parts) }
        return parts
    }

    /// Throws where an object stands within the line twice and is not the same: both cannot be.
    func checkThatEachStandsOnce() throws(CommandError) {
        var known: [[UInt8]: [JSONValue.Member]] = [:]
        try check(among: &known)
    }

    private func check(among known: inout [[UInt8]: [JSONValue.Member]]) throws(CommandError) {
        let name = Array("\(className) \(key)".utf8)
        if let before = known[name], before != values {
            throw CommandError(
                .badData, "an object of \(className) stands twice in it, and differs")
        }
        known[name] = values
        for part in try parts() { try part.check(among: &known) }
    }

    private static func add(
        _ json: JSONValue, to parts: inout [ImportedObject]
    ) throws(CommandError) {
        switch json {
        case .object where json.member("class") != nil:
            let part = try ImportedObject(json)
            if !part.values.isEmpty { parts.append(part) }
        case .object(let members):
            for member in members { try add(member.value, to: &parts) }
        case .array(let elements):
            for element in elements { try add(element, to: &parts) }
        default: break
        }
    }
}

extension JSONValue {
    func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The value of a property, or of an element of a list, that this stands for.
    ///
    /// - Parameter schema: tells the keys' types of what links lead to.
    func value(
        for property: PropertySchema, of className: String, in schema: Schema
    ) throws(CommandError) -> TarnModel.Value {
        let value: TarnModel.Value? =
            switch (self, property.type) {
            case (.null, _): .null
            case (.bool(let value), .bool): .bool(value)
            case (.int(let value), .int): .int(value)
            case (.string(let text), .string): .string(text)
            case (.string(let text), .uuid): UUIDValue(text).map(TarnModel.Value.uuid)
            case (.string(let text), .date): Timestamp(text).map(TarnModel.Value.date)
            case (.int(let value), .double): .double(Double(value))
            case (.number(let digits), .double): Double(digits).map { .double($0) }
            case (.string(let word), .double):
                Double(word).flatMap { $0.isFinite ? nil : .double($0) }
            case (.string(let text), .data): Base64.bytes(of: text).map { .data($0) }
            case (.object, .link(let linked)): try link(to: linked, in: schema)
            default: nil
            }
        guard let value else {
            throw CommandError(
                .badData, "\(className).\(property.name) does not hold \(shortened)")
        }
        return value
    }

    private func link(
        to className: String, in schema: Schema
    ) throws(CommandError) -> TarnModel.Value? {
        let object = try ImportedObject(self)
        guard object.className == className, let target = schema[className] else { return nil }
        let key = try object.key.value(for: target.primaryKey, of: className, in: schema)
        return key.primaryKey.map { .link(Link(key: $0, life: nil)) }
    }

    /// Enough of it to be recognised.
    private var shortened: String {
        let text = "\(self)"
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}
