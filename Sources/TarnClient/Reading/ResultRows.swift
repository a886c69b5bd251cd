package import TarnModel
package import TarnQuery
package import TarnStorage

/// The objects of a result, in its order.
package struct ResultRows: Equatable, Sendable {
    package let objects: [ObjectID]
    /// They were found by what is here, and the server may know more.
    package let isPartial: Bool
}

extension ReplicaReader {
    package func subscriptions() throws(ReplicaError) -> [StoredSubscription] {
        try stored { () throws(StorageError) in try store.subscriptions() }
    }

    package func subscription(named name: String) throws(ReplicaError) -> StoredSubscription? {
        try subscriptions().first { Text($0.name) == Text(name) }
    }

    /// What a subscription selects: the server's own selection, patched by what pending work
    /// touches. Before the server has answered, the query is evaluated on what is here.
    package func results(
        of subscription: StoredSubscription
    ) throws(ReplicaError) -> ResultRows {
        let query: BoundQuery
        do throws(QueryError) {
            query = try Query.parse(subscription.query).bind(
                to: schema, user: identity.user, arguments: subscription.arguments)
        } catch {
            // The server may know the class; nothing of it is here.
            if error.code == .unknownName { return ResultRows(objects: [], isPartial: true) }
            throw ReplicaError(.queryInvalid, error.description)
        }
        guard case .complete = subscription.state else {
            return ResultRows(objects: try evaluate(query), isPartial: true)
        }
        do {
            return ResultRows(
                objects: try patch(try store.roots(of: subscription.number), by: query),
                isPartial: false)
        } catch {
            throw ReplicaError(error)
        }
    }

    /// A query of the moment, on what is here. It is partial on every replica of a server's realm:
    /// there may be objects that no subscription holds.
    package func results(
        of text: String, arguments: [Value] = []
    ) throws(ReplicaError) -> ResultRows {
        let query: BoundQuery
        do throws(QueryError) {
            query = try Query.parse(text).bind(
                to: schema, user: identity.user, arguments: arguments)
        } catch {
            throw ReplicaError(.queryInvalid, error.description)
        }
        return ResultRows(objects: try evaluate(query), isPartial: !identity.isLocal)
    }

    package func evaluate(_ query: BoundQuery) throws(ReplicaError) -> [ObjectID] {
        try stored { () throws(StorageError) in try store.evaluate(query) }
    }

    private func patch(_ roots: [ObjectID], by query: BoundQuery) throws -> [ObjectID] {
        var objects = Set(roots)
        let chain = try store.chain()
        var touched: Set<ObjectID> = []
        var sequence = chain.acknowledgedSequence
        while sequence < chain.sequence {
            sequence += 1
            touched.formUnion(try store.objects(touchedBy: sequence))
        }
        var candidates: Set<ObjectID> = []
        for object in touched {
            candidates.formUnion(try query.affectedRoots(by: object, in: store))
        }
        for object in candidates {
            if try store.row(of: object)?.isVisible == true, try query.matches(object, in: store) {
                objects.insert(object)
            } else {
                objects.remove(object)
            }
        }
        let sorted = try query.sorted(Array(objects), in: store)
        return query.limit.map { Array(sorted.prefix($0)) } ?? sorted
    }
}
