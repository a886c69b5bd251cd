import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage

/// What the server's answers and decisions say about where a replica stands.
extension World {
    func notice(_ message: ServerMessage, to session: RealmSessionID, of realm: HostedRealm) {
        guard let request = realm.requests[session] else { return }
        switch message {
        case .opened(_, let reply) where request.inquiry == nil:
            if reply.goesOn { met(.downloadGoesOn) }
            realm.commons[request.replica] = request.common
            guard let number = realm.routes[session], let connection = connections[number],
                let identity = try? machines[connection.machine].look({ try $0.identity() })
            else { return }
            if identity.formerReplicas.contains(request.replica) { met(.errandRuns) }
        case .compare: met(.digestIsAsked)
        case .failed(_, let error) where error.code == .rewound: met(.rewindIsNoticed)
        case .failed(_, let error) where error.code == .forked: met(.forkIsNoticed)
        default: break
        }
    }

    /// Counts what it is that was decided; nothing waits for what was lost where nothing was.
    func meet(_ record: LogRecord, _ work: Work, in realm: HostedRealm) throws(Violation) {
        if realm.hasLost(work) { met(.workComesBack) }
        switch record.outcome {
        case .refused(let refusal) where refusal.code == .refusedBefore:
            guard realm.hasLost(work) else {
                throw Violation(.receipts, "\(work) is refused again, and never was")
            }
            met(.undoneComesBack)
        case .parked(let parking):
            guard realm.timesRestored > 0 else {
                throw Violation(.receipts, "\(work) is parked for \(parking.creator)")
            }
            met(.workIsParked)
        default: break
        }
    }
}
