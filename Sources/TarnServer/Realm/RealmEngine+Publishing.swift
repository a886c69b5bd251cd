import TarnModel
import TarnProtocol
import TarnStorage

/// What sessions are sent: one group at a time, so that one who falls behind has a version rather
/// than a queue, and gets one difference when its channel drains.
extension RealmEngine {
    func publish(to session: RealmSession, now: Int64) throws(StorageError) {
        grantUploads(session)
        sendParts(to: session)
        guard session.isStarted else { return }
        if session.cutter == nil, session.mayBeSentTo(),
            let group = try nextGroup(for: session, now: now)
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
        session.delivered = session.sent
        session.receiptsDelivered = session.receiptsSent
    }

    /// All that the session does not have yet; nil where there is nothing.
    private func nextGroup(
        for session: RealmSession, now: Int64
    ) throws(StorageError) -> Group? {
        let views = try nextViews(for: session)
        let faults = untoldFaults(of: session)
        let receipts =
            session.head.sequence > session.receiptsSent
            ? try store.receipts(of: session.replica, after: session.receiptsSent) : []
        guard session.owesGroup || !views.isEmpty || !faults.isEmpty || !receipts.isEmpty else {
            return nil
        }
        let group = Group(
            from: session.sent, to: store.applied, time: now,
            classes: newClasses(for: session), views: views, receipts: receipts, faults: faults)
        session.owesGroup = false
        session.sent = store.applied
        session.receiptsSent = receipts.last?.sequence ?? session.receiptsSent
        return group
    }

    private func nextViews(for session: RealmSession) throws(StorageError) -> [GroupView] {
        var groupViews: [GroupView] = []
        for number in session.subscriptions.keys.sorted() {
            guard let subscription = session.subscriptions[number], let view = subscription.view
            else { continue }
            // The floor may have passed a session that was long without credit or room.
            if subscription.needsFull || isBelowFloor(session, view) {
                session.subscriptions[number]?.needsFull = false
                groupViews.append(
                    GroupView(
                        subscription: number, isFull: true,
                        delta: try views.encodedFull(of: view)))
                continue
            }
            let since = session.sent.version
            if let delta = try views.encodedDifference(of: view, since: since) {
                groupViews.append(GroupView(subscription: number, isFull: false, delta: delta))
            }
        }
        return groupViews
    }

    private func isBelowFloor(_ session: RealmSession, _ view: View) -> Bool {
        session.sent.version < store.floor && session.sent.version < view.lastChange
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
