import TarnModel
import TarnProtocol
import TarnStorage

/// What sessions are sent: one group at a time, so that one who falls behind has a version rather
/// than a queue, and gets one difference when its channel drains.
extension RealmEngine {
    func publish(
        to session: RealmSession, now: Int64, _ walking: inout WalkBudget
    ) throws(StorageError) {
        grantUploads(session)
        sendParts(to: session)
        guard session.isStarted else { return }
        if session.cutter == nil, session.mayBeSentTo(), try compare(session, &walking),
            let group = try nextGroup(for: session, now: now, &walking)
        {
            session.cutter = PartCutter(group.encoded())
            sendParts(to: session)
        }
        // Who cannot be sent more is not asked again at every change.
        if session.isStalled { setAwake(false, session) }
    }

    private func setAwake(_ isAwake: Bool, _ session: RealmSession) {
        session.isAwake = isAwake
        for subscription in session.subscriptions.values {
            subscription.view?.setAwake(isAwake, session.id)
        }
    }

    /// Credit or room has come.
    func goOn(with session: RealmSession) {
        if !session.isAwake { setAwake(true, session) }
        sendParts(to: session)
        markDue(session)
    }

    /// Sends of the group under way what the client's credit and the connection's room allow.
    func sendParts(to session: RealmSession) {
        guard session.cutter != nil else { return }
        while let part = session.nextPart() {
            actions.append(.send(session.id, .group(session.id.channel, part)))
        }
        guard session.cutter?.isFinished == true else { return }
        session.cutter = nil
        // What is in the middle of a series is not integrated before its end.
        if session.isInSeries { return markDue(session) }
        session.delivered = session.sent
        session.receiptsDelivered = session.receiptsSent
    }

    /// All that the session does not have yet, or a piece of it; nil where there is nothing.
    private func nextGroup(
        for session: RealmSession, now: Int64, _ walking: inout WalkBudget
    ) throws(StorageError) -> Group? {
        guard let views = try nextViews(for: session, &walking) else {
            // The turn has been others'.
            postpone(session)
            return nil
        }
        if let progress = progress(of: session) {
            guard !views.isEmpty || session.sent != store.applied else {
                markDue(session)
                return nil
            }
            session.isInSeries = true
            return group(views, for: session, at: now, progress: progress)
        }
        let faults = untoldFaults(of: session)
        let receipts =
            session.head.sequence > session.receiptsSent
            ? try store.receipts(of: session.replica, after: session.receiptsSent) : []
        guard
            session.owesGroup || session.isInSeries || !views.isEmpty || !faults.isEmpty
                || !receipts.isEmpty
        else { return nil }
        let group = group(views, for: session, at: now, receipts: receipts, faults: faults)
        for number in session.subscriptions.keys { session.subscriptions[number]?.walk = nil }
        session.isInSeries = false
        session.owesGroup = false
        session.receiptsSent = receipts.last?.sequence ?? session.receiptsSent
        return group
    }

    private func group(
        _ views: [GroupView], for session: RealmSession, at now: Int64, receipts: [Receipt] = [],
        faults: [SubscriptionFault] = [], progress: SeriesProgress? = nil
    ) -> Group {
        let group = Group(
            from: session.sent, to: store.applied, time: now,
            classes: newClasses(for: session), views: views, receipts: receipts, faults: faults,
            progress: progress)
        session.sent = store.applied
        return group
    }

    private func untoldFaults(of session: RealmSession) -> [SubscriptionFault] {
        var faults: [SubscriptionFault] = []
        for number in session.subscriptions.keys.sorted() {
            guard let subscription = session.subscriptions[number], !subscription.isFaultTold,
                let fault = subscription.fault
            else { continue }
            session.subscriptions[number]?.isFaultTold = true
            faults.append(SubscriptionFault(subscription: number, sentence: fault))
        }
        return faults
    }

    /// The classes that the connection's dictionary does not have, or not as they are now.
    private func newClasses(for session: RealmSession) -> [NumberedClass] {
        var entries: [NumberedClass] = []
        for (number, schema) in store.schema.classes.enumerated()
        where session.dictionary[number] != schema.properties.count {
            session.dictionary[number] = schema.properties.count
            entries.append(NumberedClass(number: number, schema: schema))
        }
        return entries
    }
}
