import TarnModel
import TarnProtocol
import TarnServer

/// A replica's history is its own: who comes with another one under its id is told so.
extension World {
    /// When nothing is under way, somebody opens a realm as a copy of a replica would that has gone
    /// on by itself.
    func checkForkIsSeen() throws {
        for machine in machines {
            let realm = daemon.realms[machine.realm]
            guard let id = machine.replica, let engine = realm.engine, realm.underWay == nil,
                let sequence = realm.history.last(of: id)?.sequence
            else { continue }
            let session = RealmSessionID(connection: .max, channel: Channel(1))
            engine.open(
                session, by: RealmVisitor(user: machine.user, clockOffset: 0),
                OpenRequest(
                    realm: realm.name, replica: id, acknowledgedSequence: sequence,
                    acknowledgedHash: ChainHash.zero.extended(by: [0], sha256: Digest.digest),
                    integrated: .zero, credit: 0))
            let actions = engine.turn(now: serverClock)
            let isTold = actions.contains { action in
                guard case .send(session, .failed(_, let error)) = action else { return false }
                return error.code == .forked
            }
            guard isTold else {
                throw Violation(
                    .durability, "\(id) is let in with a history that is not its own",
                    "\(actions)")
            }
            met(.forkIsSeen)
            return try perform(actions, of: realm)
        }
    }
}
