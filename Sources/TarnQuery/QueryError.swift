/// Why a text is no query, or a query does not fit a schema.
package struct QueryError: Error, Hashable {
    package enum Code: Sendable {
        /// The text is not of the language.
        case syntax
        /// A class or property that the schema does not have.
        case unknownName
        /// Things that cannot be compared, or an operator that is not for them.
        case type
        /// An argument is missing.
        case argument
        /// More than `QueryLimits` allow.
        case limit
    }

    package let code: Code
    /// Says what is wrong and what was expected, without the position and the full stop.
    package let sentence: String
    /// The character (Unicode scalar) of the text where it was noticed, from 1.
    package let position: Int

    init(_ code: Code, at position: TextPosition, _ sentence: String) {
        self.code = code
        self.sentence = sentence
        self.position = position.character
    }
}

extension QueryError: CustomStringConvertible {
    package var description: String { "\(sentence) (at character \(position))" }
}

/// Where something stands in a query's text. It is there for error messages alone: queries that
/// differ in positions only are the same query, so all positions are equal.
package struct TextPosition: Hashable, Sendable {
    /// Counts Unicode scalars, from 1.
    package let character: Int

    package static func == (left: TextPosition, right: TextPosition) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}
