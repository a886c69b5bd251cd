import TarnModel
import TarnProtocol
import TarnStorage

/// Compares what the server remembers of a replica with what the replica knows of itself, before
/// anything goes up or down.
struct OpenCheck {
    let identity: ReplicaIdentity
    let chain: ChainState
    let resumePoint: ResumePoint
    /// The chain's link at the server's head, where the outbox has that transaction.
    let pendingHash: ChainHash?

    /// Nil where the two fit.
    func fault(in reply: OpenReply) -> ProtocolError? {
        if let realm = identity.realm, realm != reply.realm {
            return .otherRealm(identity.realmName)
        }
        // It has forgotten what it had acknowledged, or what it had sent.
        if reply.sequence < chain.acknowledgedSequence || isBehind(reply.latest) {
            return .rewound
        }
        guard let own = hash(at: reply.sequence), own == reply.hash else {
            return ProtocolError(
                .forked,
                "the server has work of this replica that is not here: its folder was copied, or "
                    + "restored from a backup.",
                advice: "Nothing here is lost.")
        }
        return nil
    }

    /// The replica's own link; nil for what it has never written.
    private func hash(at sequence: UInt64) -> ChainHash? {
        if sequence == chain.acknowledgedSequence { return chain.acknowledgedHash }
        if sequence == chain.sequence { return chain.hash }
        return sequence < chain.sequence ? pendingHash : nil
    }

    private func isBehind(_ latest: ResumePoint) -> Bool {
        if latest.version == resumePoint.version { return latest.salt != resumePoint.salt }
        return latest.version < resumePoint.version
    }
}

extension ProtocolError {
    static let rewound = ProtocolError(
        .rewound,
        "the server has forgotten what this replica has from it: it was restored from an older "
            + "backup.",
        advice: "Nothing here is lost. Ask whoever runs the server before going on.")

    static func otherRealm(_ name: RealmName) -> ProtocolError {
        ProtocolError(
            .realmRefused, "the server has another realm under \(name) now.",
            advice: "Keep this replica, and open the new realm in another profile.")
    }
}
