import TarnModel
import TarnProtocol
import TarnStorage

/// What follows from a turn's decisions, in the same storage transaction: the records do not depend
/// on it, so that it is done while they are written to the log.
extension RealmEngine {
    func follow(_ turn: DecidedTurn) throws(StorageError) {
        if !turn.records.isEmpty {
            if store.schema != turn.schema { try tellSchema() }
            for view in try views.maintain(touched: turn.touched, since: turn.since) {
                for listener in view.awake.sorted() {
                    if let session = sessions[listener] { markDue(session) }
                }
            }
        }
        // Not before: a view that they leave has to be up to date by then.
        for (session, fault) in turn.faults { try end(session, telling: fault) }
    }

    /// The schema has grown: everybody is to hear of it, since it gives objects values that they
    /// did not have; and queries that made no sense may make sense now.
    private func tellSchema() throws(StorageError) {
        for session in sessions.values.sorted(by: { $0.id < $1.id }) {
            session.owesGroup = true
            markDue(session)
            for number in session.subscriptions.keys.sorted() {
                guard let subscription = session.subscriptions[number], subscription.view == nil
                else { continue }
                var again = subscription
                try connect(&again, of: session)
                guard again.view != nil else { continue }
                again.needsFull = true
                session.subscriptions[number] = again
            }
        }
    }
}
