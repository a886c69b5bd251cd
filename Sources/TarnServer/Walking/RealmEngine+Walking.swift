import TarnModel
import TarnProtocol
import TarnStorage

/// What of a session's views goes into its next group, where all of them are too much for one.
extension RealmEngine {
    /// Goes on finding out what the session's replica has of its views.
    /// - Returns: whether it is known.
    func compare(
        _ session: RealmSession, _ walking: inout WalkBudget
    ) throws(StorageError) -> Bool {
        for number in session.subscriptions.keys.sorted() {
            guard let subscription = session.subscriptions[number], let view = subscription.view,
                let comparison = subscription.comparison
            else { continue }
            // The digest will come, or the session ends.
            guard case .under(var run) = comparison else { return false }
            var base: ViewWalk.Base?
            if view.canTell(since: run.base, floor: store.floor) {
                guard !walking.isSpent else {
                    postpone(session)
                    return false
                }
                // Else each question takes the file's locks by itself.
                base = try store.inTransaction { () throws(StorageError) in
                    try run.goOn(in: view, of: views, &walking)
                }
                guard base != nil else {
                    session.subscriptions[number]?.comparison = .under(run)
                    markDue(session)
                    return false
                }
            }
            session.subscriptions[number]?.comparison = nil
            // The floor has passed a run that was long without a turn: then all of it is sent.
            guard let base else { continue }
            session.subscriptions[number]?.needsFull = false
            session.subscriptions[number]?.walk = ViewWalk(from: base, count: view.members.count)
        }
        return true
    }

    /// What the next group says of the session's views; nil where it has to wait for a turn of its
    /// own.
    func nextViews(
        for session: RealmSession, _ walking: inout WalkBudget
    ) throws(StorageError) -> [GroupView]? {
        for number in session.subscriptions.keys.sorted() { beginWalk(of: number, session) }
        guard !isWalking(session) || !walking.isSpent else { return nil }
        let allowed = budget(of: session)
        var left = allowed
        var groupViews: [GroupView] = []
        for number in session.subscriptions.keys.sorted() {
            guard let subscription = session.subscriptions[number], let view = subscription.view
            else { continue }
            let since = session.sent.version
            if let walk = subscription.walk {
                if let piece = try nextPiece(of: view, walk, number, session, &left) {
                    groupViews.append(piece)
                }
            } else if let delta = try views.encodedDifference(of: view, since: since) {
                groupViews.append(GroupView(subscription: number, isFull: false, delta: delta))
            }
        }
        walking.spend(
            objects: allowed.objects - left.objects, bytes: allowed.bytes - left.bytes)
        return groupViews
    }

    private var piece: WalkBudget {
        WalkBudget(objects: pieces.objectsAGroup, bytes: pieces.bytesAGroup)
    }

    /// What a group may say. It is twice as much after every few times that a walk had to go back:
    /// else somebody who changes more than a piece in the time of one would keep it from ever
    /// coming to its end.
    private func budget(of session: RealmSession) -> WalkBudget {
        let returns = session.subscriptions.values.compactMap { $0.walk?.returns }.max() ?? 0
        let doublings = min(returns / 4, 8)
        return WalkBudget(
            objects: pieces.objectsAGroup << doublings, bytes: pieces.bytesAGroup << doublings)
    }

    /// Where all that a subscription needs may be too much for one group.
    private func beginWalk(of number: Int64, _ session: RealmSession) {
        guard let subscription = session.subscriptions[number], let view = subscription.view else {
            return
        }
        var base: ViewWalk.Base?
        if subscription.needsFull || isBelowFloor(session, subscription, view) {
            base = .nothing
        } else if subscription.walk == nil,
            view.isFar(from: session.sent.version, for: piece)
        {
            base = .version(session.sent.version)
        }
        guard let base else { return }
        session.subscriptions[number]?.needsFull = false
        session.subscriptions[number]?.walk = ViewWalk(from: base, count: view.members.count)
    }

    /// The floor may pass a session that is long without credit or room, and what it walks from.
    private func isBelowFloor(
        _ session: RealmSession, _ subscription: SessionSubscription, _ view: View
    ) -> Bool {
        let sent = session.sent.version
        guard let walk = subscription.walk else { return isForgotten(sent, view) }
        return (walk.isBegun && isForgotten(sent, view))
            || walk.bases.contains { isForgotten($0, view) }
    }

    private func isForgotten(_ version: Version, _ view: View) -> Bool {
        version < store.floor && version < view.lastChange
    }

    /// A piece of a view that is walked through; nil where there is nothing to say of it.
    private func nextPiece(
        of view: View, _ walk: ViewWalk, _ number: Int64, _ session: RealmSession,
        _ left: inout WalkBudget
    ) throws(StorageError) -> GroupView? {
        // Who has no room left begins with a later group: what is not begun has nothing to repeat.
        guard walk.isBegun || !left.isSpent else { return nil }
        var walk = walk
        let replaced = walk.replaced
        let delta = try store.inTransaction { () throws(StorageError) in
            try views.nextPiece(of: view, &walk, since: session.sent.version, &left)
        }
        session.subscriptions[number]?.walk = walk
        guard replaced != .nothing || !delta.isEmpty else { return nil }
        return GroupView(subscription: number, replaced: replaced, delta: delta.encoded())
    }

    private func isWalking(_ session: RealmSession) -> Bool {
        session.subscriptions.values.contains { $0.walk?.isThrough == false }
    }

    /// How far the series has come; nil where it needs no further group.
    func progress(of session: RealmSession) -> SeriesProgress? {
        guard isWalking(session) else { return nil }
        var cursor = SeriesCursor()
        var (done, total) = (0, 0)
        for (number, subscription) in session.subscriptions {
            guard let walk = subscription.walk else { continue }
            cursor.entries[number] = SeriesCursor.Entry(
                question: subscription.question, walk: walk)
            done += min(walk.done, walk.total)
            total += walk.total
        }
        return SeriesProgress(
            cursor: cursor.encoded(), done: UInt64(done), total: UInt64(total))
    }
}
