/// What a person calls a task or project: some text, without blanks around it.
package struct Title: Equatable, Sendable {
    package let text: String

    /// - Parameter words: joined by blanks, as a shell has split them.
    package init(_ words: [String], of what: String) throws(CommandError) {
        let joined = words.joined(separator: " ")
        let isBlank: (Unicode.Scalar) -> Bool = {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
        let scalars = joined.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isBlank($0) }),
            let last = scalars.lastIndex(where: { !isBlank($0) }),
            // Joiners and marks of direction alone show nothing.
            scalars.contains(where: { !isBlank($0) && $0.properties.generalCategory != .format })
        else {
            throw CommandError(.badData, "a \(what) cannot be blank")
        }
        text = String(scalars[first...last])
    }
}
