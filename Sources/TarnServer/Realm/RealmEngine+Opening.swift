import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage

/// How a replica comes and goes: what it claims is verified before anything is believed.
extension RealmEngine {
    func begin(
        _ id: RealmSessionID, _ visitor: RealmVisitor, _ request: OpenRequest,
        _ room: any OutputRoom
    ) throws(StorageError) {
        if let inquiry = request.inquiry {
            return try answer(inquiry, of: visitor, request, to: id)
        }
        let earlier = byReplica[request.replica].flatMap { sessions[$0] }
        let known: ReplicaHead? =
            if let earlier { earlier.head } else { try store.head(of: request.replica) }
        let receipts = try store.receipts(of: request.replica, after: 0)
        if let fault = try fault(in: request, of: visitor, known: known, receipts: receipts) {
            actions.append(.send(id, .failed(id.channel, fault)))
            actions.append(.closed(id))
            return
        }
        // A later session of a replica fences the earlier one: but a fork, who is refused, nobody.
        if let earlier {
            try end(
                earlier,
                telling: ProtocolError(.fenced, "This replica is open in a later session."))
        }
        var head = known ?? ReplicaHead(user: visitor.user)
        head.integrated = request.integrated
        var refused: [UInt64: Version] = [:]
        var parked: [UInt64: Parking] = [:]
        for receipt in receipts where receipt.outcome.isUndone {
            refused[receipt.sequence] = receipt.version
            if case .parked(let parking) = receipt.outcome { parked[receipt.sequence] = parking }
        }
        let cursor = try cursor(of: request)
        let session = RealmSession(
            id: id, visitor: visitor, request: request, head: head, refused: refused,
            parked: parked, cursor: cursor, room: room)
        sessions[id] = session
        byReplica[request.replica] = id
        try confirm(request.acknowledgedSequence, session)
        let reply = OpenReply(
            realm: self.id, sequence: head.sequence, hash: head.hash, latest: store.applied,
            credit: UInt64(ProtocolLimits.creditInitial), goesOn: cursor != nil)
        actions.append(.send(id, .opened(id.channel, reply)))
    }

    /// Where the series goes on that the replica has staged a part of; nil where it cannot.
    private func cursor(of request: OpenRequest) throws(StorageError) -> SeriesCursor? {
        guard let staged = request.staged, staged.point.version >= request.integrated.version,
            staged.point.version >= store.floor, try isOfHistory(staged.point)
        else { return nil }
        return SeriesCursor(decoding: staged.cursor)
    }

    /// What does not fit between a replica's claims and this server's memory.
    private func fault(
        in request: OpenRequest, of visitor: RealmVisitor, known: ReplicaHead?, receipts: [Receipt]
    ) throws(StorageError) -> ProtocolError? {
        guard try isOfHistory(request.integrated) else {
            return ProtocolError(
                .rewound,
                "The replica has version \(request.integrated.version), which is not of this "
                    + "server's history (it is at \(store.applied.version)).",
                advice: "The server was restored from an older backup. Nothing here is lost.")
        }
        if let common = request.common, try !isOfHistory(common) {
            return ProtocolError(
                .rewound, "Version \(common.version) is not of this server's history any more.",
                advice: "The server was restored from an older backup. Nothing here is lost.")
        }
        let sequence = request.acknowledgedSequence
        guard let known else {
            if sequence == 0, request.acknowledgedHash == .zero { return nil }
            return ProtocolError(
                .rewound, "The server does not know this replica, which it has given receipts to.",
                advice: "The server was restored from an older backup. Nothing here is lost.")
        }
        guard known.user == visitor.user else {
            return .forked("The replica's id belongs to another user's replica.")
        }
        if sequence > known.sequence {
            return ProtocolError(
                .rewound,
                "The replica has receipts up to transaction \(sequence); the server knows "
                    + "\(known.sequence).",
                advice: "The server was restored from an older backup. Nothing here is lost.")
        }
        let hash: ChainHash? =
            if sequence == known.sequence {
                known.hash
            } else if sequence == known.confirmedSequence {
                known.confirmedHash
            } else {
                sequence < known.confirmedSequence
                    ? nil : receipts.first { $0.sequence == sequence }?.hash
            }
        guard hash == request.acknowledgedHash else {
            return .forked(
                "The replica's history and the server's part at transaction \(sequence).")
        }
        return nil
    }

    /// Ends a session; with an error, the client is told.
    func end(_ session: RealmSession, telling fault: ProtocolError? = nil) throws(StorageError) {
        for subscription in session.subscriptions.values {
            if let view = subscription.view { try views.leave(view.key, by: session.id) }
        }
        try store.put(session.head, of: session.replica)
        sessions[session.id] = nil
        if byReplica[session.replica] == session.id { byReplica[session.replica] = nil }
        if let fault { actions.append(.send(session.id, .failed(session.id.channel, fault))) }
        actions.append(.closed(session.id))
    }
}

extension ProtocolError {
    static func forked(_ sentence: String) -> ProtocolError {
        ProtocolError(
            .forked, sentence,
            advice: "The replica was copied, or its disk restored. Its unsent work is kept in it.")
    }
}
