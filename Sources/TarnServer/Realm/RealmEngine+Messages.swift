import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage

/// What a session says once its realm is open.
extension RealmEngine {
    func handle(_ message: ClientMessage, from session: RealmSession) throws(SessionStop) {
        switch message {
        case .subscribe(_, let request):
            try subscribe(request, session)
        case .unsubscribe(_, let number):
            try unsubscribe(number, session)
        case .start:
            guard !session.isStarted else {
                throw .fault(ProtocolError(.protocolViolation, "The channel is started already."))
            }
            session.isStarted = true
            session.owesGroup = true
            markDue(session)
        case .upload(_, let sequence, let part):
            try upload(sequence, part, session)
        case .integrated(_, let point, let sequence):
            try integrated(point, sequence, session)
        case .digest(_, let number, let digest):
            // It may have been given up after it was asked about.
            guard let subscription = session.subscriptions[number] else { return }
            guard case .asked = subscription.comparison else {
                throw .fault(ProtocolError(.protocolViolation, "No digest was asked for."))
            }
            session.subscriptions[number]?.comparison = .under(
                DigestRun(against: digest, at: store.applied.version))
            markDue(session)
        case .close:
            try stopping { () throws(StorageError) in try end(session) }
        case .hello, .login, .logout, .open, .credit, .history:
            throw .fault(
                ProtocolError(.protocolViolation, "This message is not one of an open channel."))
        }
    }

    private func subscribe(
        _ request: SubscribeRequest, _ session: RealmSession
    ) throws(SessionStop) {
        guard session.subscriptions[request.number] == nil else {
            throw .fault(
                ProtocolError(
                    .protocolViolation, "Subscription \(request.number) is there already."))
        }
        guard session.subscriptions.count < ProtocolLimits.subscriptionsMax else {
            throw .fault(
                ProtocolError(
                    .tooLarge,
                    "A replica has at most \(ProtocolLimits.subscriptionsMax) subscriptions."))
        }
        var subscription = SessionSubscription(
            request: request, question: request.question(sha256: environment.sha256), view: nil,
            fault: nil, needsFull: true)
        try stopping { () throws(StorageError) in try connect(&subscription, of: session) }
        if mayCompare(subscription, of: session) {
            subscription.comparison = .asked
            actions.append(
                .send(session.id, .compare(session.id.channel, subscription: request.number)))
        }
        session.subscriptions[request.number] = subscription
        markDue(session)
    }

    /// Finds the subscription's view, or says why there is none.
    func connect(
        _ subscription: inout SessionSubscription, of session: RealmSession
    ) throws(StorageError) {
        let request = subscription.request
        let question: (text: String, bound: BoundQuery)
        do throws(QueryError) {
            let query = try Query.parse(request.query)
            let bound = try query.bind(
                to: store.schema, user: session.visitor.user, arguments: request.arguments)
            question = (query.description, bound)
        } catch {
            subscription.fault = error.description
            return
        }
        let key = ViewKey(
            query: question.text, arguments: request.arguments, user: session.visitor.user,
            depth: request.depth)
        let view = try views.listen(key, query: question.bound, by: session.id)
        subscription.view = view
        subscription.fault = nil
        subscription.needsFull =
            !request.isResumed || session.isStarted || !canTell(session.sent.version, of: view)
        guard let cursor = session.cursor, !session.isStarted else { return }
        // Else it was in no walk.
        guard let entry = cursor.entries[request.number] else { return }
        subscription.needsFull = true
        guard let walk = entry.walk,
            entry.question == subscription.question,
            ([session.sent.version] + walk.bases).allSatisfy({ canTell($0, of: view) })
        else { return }
        subscription.walk = walk
        subscription.needsFull = false
    }

    private func canTell(_ version: Version, of view: View) -> Bool {
        view.canTell(since: version, floor: store.floor)
    }

    /// Whether it pays to find out what the replica has. Not in a series that goes on: what is
    /// staged of that would be applied to what is compared here.
    private func mayCompare(
        _ subscription: SessionSubscription, of session: RealmSession
    ) -> Bool {
        guard let view = subscription.view, subscription.needsFull else { return false }
        return subscription.request.tellsDigest && !session.isStarted && session.cursor == nil
            && !view.members.isEmpty
    }

    private func unsubscribe(_ number: Int64, _ session: RealmSession) throws(SessionStop) {
        guard let subscription = session.subscriptions.removeValue(forKey: number) else { return }
        // It may be what the others, or the end of a series, were waiting for.
        markDue(session)
        guard let view = subscription.view else { return }
        // Two subscriptions of one session may share a view.
        guard !session.subscriptions.values.contains(where: { $0.view === view }) else { return }
        try stopping { () throws(StorageError) in try views.leave(view.key, by: session.id) }
    }

    private func upload(
        _ sequence: UInt64, _ part: Part, _ session: RealmSession
    ) throws(SessionStop) {
        let wasEmpty = session.uploads.isEmpty
        do throws(ProtocolError) {
            if let offset = try session.uploads.append(part, of: sequence) {
                actions.append(
                    .send(
                        session.id,
                        .received(session.id.channel, sequence: sequence, offset: offset)))
                return grantUploads(session)
            }
        } catch {
            throw .fault(error)
        }
        if wasEmpty { writers.append(session.id) }
        markDue(session)
    }

    /// Grants the client again what it used up of its credit for uploads.
    func grantUploads(_ session: RealmSession) {
        let bytes = session.uploads.grant()
        guard bytes > 0 else { return }
        actions.append(.send(session.id, .credit(session.id.channel, bytes: bytes)))
    }

    private func integrated(
        _ point: ResumePoint, _ sequence: UInt64, _ session: RealmSession
    ) throws(SessionStop) {
        let isKnown = try stopping { () throws(StorageError) in
            guard point.version <= session.delivered.version else { return false }
            return try isOfHistory(point)
        }
        guard sequence <= session.receiptsDelivered, isKnown else {
            throw .fault(
                ProtocolError(.protocolViolation, "What was not sent cannot be integrated."))
        }
        session.head.integrated = point
        try stopping { () throws(StorageError) in try confirm(sequence, session) }
    }

    /// Whether a version is one of this realm's, and not of another history. Below the floor nobody
    /// can tell, and nothing hangs on it: who is there is sent everything whole, and has what it
    /// writes judged as by one who knows of no delete.
    func isOfHistory(_ point: ResumePoint) throws(StorageError) -> Bool {
        guard point.version <= store.applied.version else { return false }
        if point.version > .zero, point.version < store.floor { return true }
        return try store.salt(of: point.version) == point.salt
    }

    /// The replica knows its outcomes up to a transaction.
    func confirm(_ sequence: UInt64, _ session: RealmSession) throws(StorageError) {
        let after = session.head.confirmedSequence
        guard sequence > after else { return }
        let receipts = try store.receipts(of: session.replica, after: after)
        guard let receipt = receipts.first(where: { $0.sequence == sequence }) else { return }
        session.head.confirmedSequence = sequence
        session.head.confirmedHash = receipt.hash
        try store.put(session.head, of: session.replica)
        try dropReceipts(of: session)
    }

    /// Drops what the replica has confirmed long ago, up to a refusal that its next transactions
    /// may still depend on unknowingly.
    func dropReceipts(of session: RealmSession) throws(StorageError) {
        let needed = session.refused.keys.min() ?? .max
        let confirmed = session.head.confirmedSequence
        guard confirmed > receiptsKept else { return }
        let through = min(confirmed - receiptsKept, needed - 1)
        try store.dropReceipts(of: session.replica, through: through)
    }
}

/// Passes a storage failure on as the end of the turn.
func stopping<Result>(
    _ body: () throws(StorageError) -> Result
) throws(SessionStop) -> Result {
    do throws(StorageError) {
        return try body()
    } catch {
        throw .storage(error)
    }
}
