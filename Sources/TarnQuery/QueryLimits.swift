/// What a query may be. A stranger sends it, and every commit afterwards pays for it.
package enum QueryLimits {
    /// UTF-8 bytes of a query's text, as written and in its canonical form: some hundred times what
    /// people write, and a quarter of a message.
    package static let textBytesMax = 16_384
    /// Parentheses and NOTs inside each other: a parser, an evaluator and SQLite's expressions
    /// (1000 levels) go as deep on their stacks.
    package static let nestingMax = 32
    /// Comparisons of one query.
    package static let termsMax = 512
    /// Values in all `{…}` of one query: SQLite binds 32,766.
    package static let listedValuesMax = 1024
    /// Properties of one path; Realm's notifications look four objects far.
    package static let pathStepsMax = 8
    /// Lists on one path: a test of one object may cost the product of their lengths.
    package static let listsOnPathMax = 3
    package static let sortTermsMax = 16
    /// `$0` to `$63`.
    package static let argumentsMax = 64
    /// UTF-8 bytes of a LIKE pattern, which a long text may make us go over again and again.
    package static let patternBytesMax = 256
}
