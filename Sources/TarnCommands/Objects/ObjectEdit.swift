/// One edit as it is typed: `title=Milk`, `count+=1`, `tags-=red`, `marks[maths]=1.5`.
package struct ObjectEdit: Equatable, Sendable {
    package enum Operator: String, Sendable {
        case set = "="
        case add = "+="
        case take = "-="
    }

    package let property: String
    /// What stands in brackets: a key of a map, or an index of a list.
    package let entry: String?
    package let operation: Operator
    package let value: String

    package init(_ text: String) throws(CommandError) {
        func wrong() -> CommandError {
            CommandError(
                .usage,
                "\"\(text)\" is no edit: PROPERTY=VALUE, +=, -= or PROPERTY[KEY]=VALUE")
        }
        // By scalars: to Swift, a sign and an accent behind it are one character.
        let name = text.unicodeScalars.prefix(while: \.isNamePart)
        guard !name.isEmpty else { throw wrong() }
        var rest = text.unicodeScalars.dropFirst(name.count)
        var entry: String?
        if rest.first == "[" {
            rest = rest.dropFirst()
            guard let end = Self.endOfEntry(in: rest) else { throw wrong() }
            entry = String(rest[..<end])
            rest = rest[end...].dropFirst()
        }
        let operators: [Operator] = [.add, .take, .set]
        guard
            let found = operators.first(where: {
                rest.starts(with: $0.rawValue.unicodeScalars)
            })
        else { throw wrong() }
        property = String(name)
        self.entry = entry
        operation = found
        value = String(rest.dropFirst(found.rawValue.unicodeScalars.count))
    }

    /// The first bracket that an operator follows: a key may have brackets in it.
    private static func endOfEntry(
        in text: Substring.UnicodeScalarView
    ) -> Substring.UnicodeScalarView.Index? {
        let ends = ["]=", "]+=", "]-="]
        return text.indices.first { index in
            ends.contains { text[index...].starts(with: $0.unicodeScalars) }
        }
    }
}
