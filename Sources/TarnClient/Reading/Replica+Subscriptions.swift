package import TarnModel
import TarnProtocol
import TarnQuery
package import TarnStorage

extension Replica {
    /// Subscribes to a query, at once and offline; the server answers when it hears of it.
    ///
    /// The same name and query give the subscription that is there; one that the server could not
    /// answer is asked for anew. The same name with another query is the error `nameTaken`, unless
    /// `update` says to replace it.
    ///
    /// - Parameter name: "[Class] query" where none is given.
    package func subscribe(
        to text: String, name: String? = nil, arguments: [Value] = [],
        depth: Int = ProtocolLimits.depthDefault, update: Bool = false
    ) throws(ReplicaError) -> StoredSubscription {
        let query: Query
        do throws(QueryError) {
            query = try Query.parse(text)
        } catch {
            throw ReplicaError(.queryInvalid, error.description)
        }
        let wanted = StoredSubscription(
            number: 0, name: name ?? Self.name(of: query),
            query: query.description, arguments: arguments, depth: depth, state: .pending)
        try check(wanted)
        do {
            return try inTransaction(.writing(.full)) {
                try subscribe(wanted, update: update)
            }
        } catch {
            throw ReplicaError(error)
        }
    }

    /// "[Class] query", as Realm names it.
    private static func name(of query: Query) -> String {
        var rest = query.description.dropFirst(query.className.count)
        if rest.hasPrefix(" WHERE") { rest = rest.dropFirst(" WHERE".count) }
        return "[\(query.className)]\(rest.isEmpty ? " TRUEPREDICATE" : String(rest))"
    }

    private func check(_ wanted: StoredSubscription) throws(ReplicaError) {
        guard wanted.query.utf8.count <= ProtocolLimits.queryBytesMax else {
            throw ReplicaError(
                .limitExceeded, "a query has at most \(ProtocolLimits.queryBytesMax) bytes")
        }
        guard wanted.arguments.count <= ProtocolLimits.argumentsMax else {
            throw ReplicaError(
                .limitExceeded, "a query has at most \(ProtocolLimits.argumentsMax) arguments")
        }
        guard (0...ProtocolLimits.depthMax).contains(wanted.depth) else {
            throw ReplicaError(
                .limitExceeded, "links are followed at most \(ProtocolLimits.depthMax) deep")
        }
        let count = Self.messageByteCount(of: wanted)
        guard count <= ProtocolLimits.messageBytesMax else {
            throw ReplicaError(
                .limitExceeded,
                "a query and its arguments have at most \(ProtocolLimits.messageBytesMax) bytes "
                    + "together; these have \(count)")
        }
    }

    /// What it takes to tell the server of it, with the longest numbers that it may get.
    private static func messageByteCount(of wanted: StoredSubscription) -> Int {
        let request = SubscribeRequest(
            number: .max, query: wanted.query, arguments: wanted.arguments, depth: wanted.depth,
            isResumed: true)
        return ClientMessage.subscribe(Channel(.max), request).encoded().count
    }

    private func subscribe(
        _ wanted: StoredSubscription, update: Bool
    ) throws -> StoredSubscription {
        let all = try store.subscriptions()
        if let present = all.first(where: { Text($0.name) == Text(wanted.name) }) {
            let isSame =
                Text(present.query) == Text(wanted.query) && present.depth == wanted.depth
                && present.arguments == wanted.arguments
            if case .error = present.state, isSame {
                // Under another number, which tells the server that it is asked again.
                try remove(present)
                return try add(wanted)
            }
            if isSame { return present }
            guard update else {
                throw ReplicaError(
                    .nameTaken,
                    "the subscription \"\(wanted.name)\" has another query: \(present.query)")
            }
            try remove(present)
            return try add(wanted)
        }
        guard all.count < ProtocolLimits.subscriptionsMax else {
            throw ReplicaError(
                .limitExceeded,
                "a replica has at most \(ProtocolLimits.subscriptionsMax) subscriptions")
        }
        return try add(wanted)
    }

    /// Gives up the subscription of that name, and the objects that only it held here. Answers
    /// whether there was one.
    package func unsubscribe(named name: String) throws(ReplicaError) -> Bool {
        do {
            return try inTransaction(.writing(.full)) {
                let present = try store.subscriptions().first { Text($0.name) == Text(name) }
                guard let present else { return false }
                try remove(present)
                return true
            }
        } catch {
            throw ReplicaError(error)
        }
    }

    private func add(_ wanted: StoredSubscription) throws -> StoredSubscription {
        try store.addSubscription(
            name: wanted.name, query: wanted.query, arguments: wanted.arguments,
            depth: wanted.depth)
    }

    private func remove(_ subscription: StoredSubscription) throws {
        var integration = try Integration(self, as: try reader().identity)
        integration.leave(try store.removeSubscription(subscription.number))
        try store.noteChanges(try integration.finish().sorted())
    }
}
