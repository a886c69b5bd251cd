import TarnModel
import TarnQuery

/// The text of a query, as users type and send it: read, written out, bound to a schema, answered.
enum QueryFuzz {
    private static let arguments: [Value] = [.int(2), .string("a"), .null, .bool(true)]

    @Sendable static func run(_ bytes: [UInt8]) throws(BrokenLaw) {
        let query: Query
        do throws(QueryError) {
            query = try Query.parse(String(decoding: bytes, as: UTF8.self))
        } catch {
            try require(error.position >= 1, "an error is at character \(error.position)")
            try require(!error.description.isEmpty, "an error says nothing")
            return
        }
        let again = try checkText(query)
        guard let bound = bind(query) else {
            try require(bind(again) == nil, "the canonical text can be bound, the text cannot")
            return
        }
        try require(bind(again) == bound, "the canonical text asks something else")
        do {
            try checkAnswer(bound)
        } catch let broken as BrokenLaw {
            throw broken
        } catch {
            throw BrokenLaw(sentence: "a query fails: \(error)")
        }
    }

    /// The canonical text is that of an equal query.
    private static func checkText(_ query: Query) throws(BrokenLaw) -> Query {
        let text = query.description
        try require(text.utf8.count <= QueryLimits.textBytesMax, "a canonical text is too long")
        let again: Query
        do throws(QueryError) {
            again = try Query.parse(text)
        } catch {
            throw BrokenLaw(sentence: "the canonical text \(text) is no query: \(error)")
        }
        try require(again == query, "the canonical text \(text) is another query")
        try require(again.description == text, "the canonical text \(text) has another one")
        return again
    }

    private static func bind(_ query: Query) -> BoundQuery? {
        try? query.bind(to: QueryWorld.schema, user: "alice", arguments: arguments)
    }

    /// The answer is the objects that match, each once, sorted, and not more than the limit.
    private static func checkAnswer(_ query: BoundQuery) throws {
        let world = QueryWorld()
        let answer = try query.evaluate(in: world)
        let matches = try world.objects(in: query.classNumber).filter {
            try query.matches($0, in: world)
        }
        try require(Set(answer).count == answer.count, "an object is in an answer twice")
        try require(Set(answer).isSubset(of: matches), "an answer has what does not match")
        try require(
            answer.count == min(query.limit ?? .max, matches.count), "an answer is not whole")
        for (left, right) in zip(answer, answer.dropFirst()) {
            try require(try query.precedes(left, right, in: world), "an answer is not sorted")
        }
    }
}
