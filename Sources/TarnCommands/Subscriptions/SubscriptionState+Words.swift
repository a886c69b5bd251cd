import TarnModel
package import TarnStorage

extension SubscriptionState {
    /// For programs.
    package var word: String {
        switch self {
        case .pending: "pending"
        case .complete: "complete"
        case .error: "error"
        }
    }

    /// For people, `escaped`.
    package func sentence(now: Int64) -> String {
        switch self {
        case .pending: "pending"
        case .complete(_, let time): "complete, as of \(Age(of: time, now: now))"
        case .error(let sentence): "error: \(sentence.escaped)"
        }
    }
}

extension StoredSubscription {
    package var json: JSONValue {
        var version: JSONValue = nil
        var asOf: JSONValue = nil
        var problem: JSONValue = nil
        switch state {
        case .pending: break
        case .complete(let point, let time):
            version = .int(Int64(clamping: point.number))
            asOf = .string(Age.moment(time))
        case .error(let sentence): problem = .string(sentence)
        }
        return [
            "name": .string(name), "query": .string(query),
            "arguments": .array(arguments.map(\.json)), "depth": .int(depth),
            "state": .string(state.word), "version": version, "asOf": asOf, "problem": problem,
        ]
    }
}
