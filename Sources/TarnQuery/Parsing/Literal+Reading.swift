package import TarnModel

extension Literal {
    /// Reads a value as queries write it; `$user` and arguments are none.
    package static func value(of text: String) throws(QueryError) -> Value {
        var parser = Parser(try Lexer.tokens(of: text))
        guard let literal = try parser.literal() else { throw parser.expected("a value") }
        guard case .value(let value) = literal.content else {
            throw QueryError(.syntax, at: literal.position, "a value was expected")
        }
        guard parser.token == .end else { throw parser.expected("the end") }
        return value
    }
}
