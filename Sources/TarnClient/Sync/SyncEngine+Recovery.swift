import TarnModel
import TarnProtocol
import TarnStorage

/// What the engine does when the server's memory of the replica and the replica's own do not fit.
extension SyncEngine {
    /// Attempts that may fail one after the other, before somebody is to be told.
    private static let recoveriesMax = 8

    /// Opens the realm, as what the replica is, or as what it is going to be.
    mutating func open(recovering recovery: Recovery?, _ turn: inout Turn) throws {
        let request = try SyncSession.request(for: replica, recovering: recovery)
        channel = Channel(channel.number + 1)
        phase = .opening(until: expectAnswer(&turn), recovery)
        turn.send([.open(channel, request)])
    }

    /// This side has found the misfit, on a channel that the server has open.
    mutating func meet(_ fault: ProtocolError, _ turn: inout Turn) {
        guard fault.code == .forked || fault.code == .rewound else { return stop(fault, &turn) }
        turn.send([.close(channel)])
        turn.investigation = .misfit(fault)
    }

    mutating func investigate(_ cause: Investigation.Cause, _ turn: inout Turn) {
        recoveryCount += 1
        if recoveryCount > Self.recoveriesMax, case .misfit(let fault) = cause {
            return stop(fault, &turn)
        }
        do {
            var investigation = try Investigation(replica, because: cause)
            try go(on: investigation.begin(), investigation, &turn)
        } catch {
            turn.drop(ReplicaError(error).sentence)
        }
    }

    mutating func learn(
        _ reply: OpenReply, _ investigation: Investigation, _ turn: inout Turn,
        _ random: inout some RandomNumberGenerator
    ) throws {
        var investigation = investigation
        let step = try investigation.hear(reply, random: &random)
        try go(on: step, investigation, &turn)
    }

    private mutating func go(
        on step: Investigation.Step, _ investigation: Investigation, _ turn: inout Turn
    ) throws {
        switch step {
        case .ask(let name, let inquiry):
            channel = Channel(channel.number + 1)
            phase = .inquiring(until: expectAnswer(&turn), investigation)
            let request = OpenRequest(
                realm: replica.identity.realmName, replica: name, acknowledgedSequence: 0,
                acknowledgedHash: .zero, integrated: .zero, credit: 0, inquiry: inquiry)
            turn.send([.open(channel, request)])
        case .recover(let recovery): try carry(recovery, &turn)
        case .open: try open(recovering: nil, &turn)
        case .giveUp(let fault): stop(fault, &turn)
        }
    }

    // MARK: - Errands

    /// What was done under former ids goes up first.
    private mutating func carry(_ recovery: Recovery, _ turn: inout Turn) throws {
        guard let errand = recovery.errands.first else {
            return try open(recovering: recovery, &turn)
        }
        channel = Channel(channel.number + 1)
        let run = ErrandRun(errand, on: channel)
        let common = try replica.read { recovery.common(after: $0.identity.common) }
        phase = .carrying(until: expectAnswer(&turn), run, recovery)
        turn.send([
            run.request(
                realm: replica.identity.realmName, at: recovery.point, common: common)
        ])
    }

    /// One message of an errand's channel.
    mutating func hear(
        _ message: ServerMessage, on run: ErrandRun, _ recovery: Recovery, _ turn: inout Turn
    ) throws {
        var (run, recovery) = (run, recovery)
        let (replica, channel, epoch) = (replica, channel, epoch)
        let messages = try replica.inTransaction(.writing(.relaxed)) {
            () throws -> [ClientMessage] in
            try replica.expectLease(epoch)
            switch message {
            case .opened(_, let reply):
                guard run.begin(reply) else {
                    throw ReplicaError(.misfit, "the server has gone on meanwhile")
                }
                return [.start(channel)] + (try run.next(from: replica.store))
            case .credit(_, let bytes):
                run.grant(bytes)
                return try run.next(from: replica.store)
            case .group(_, let part): return try run.take(part, into: replica.store)
            default: return []
            }
        }
        turn.send(messages)
        phase = .carrying(until: expectAnswer(&turn), run, recovery)
        guard run.isDone else { return }
        turn.send([.close(channel)])
        recovery.errands.removeFirst()
        try carry(recovery, &turn)
    }

    /// Whether nobody who shares the store has taken over. One that has it for itself leads anyway,
    /// but may be told by nobody else that there is another.
    func isLeading() throws -> Bool {
        guard let epoch else { return false }
        return try replica.inTransaction(.reading) { try replica.store.lease().epoch == epoch }
    }
}
