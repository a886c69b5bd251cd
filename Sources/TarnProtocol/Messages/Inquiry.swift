package import TarnModel

/// What a replica asks of a server whose memory does not fit its own, before it says what it is:
/// an `open` with one opens nothing, and the channel ends with the answer.
package struct Inquiry: Hashable, Sendable {
    /// Points that it has integrated, in any order: the highest that the server has, too, is asked
    /// for.
    package let points: [ResumePoint]
    /// Transactions that it has written, with the chain's link at each: the last that the server
    /// knows to be this one is asked for.
    package let probes: [Probe]
    /// Receipts above this sequence are asked for, as far as the server has decided this chain.
    package let receiptsAfter: UInt64

    package struct Probe: Hashable, Sendable {
        package let sequence: UInt64
        package let hash: ChainHash

        package init(sequence: UInt64, hash: ChainHash) {
            self.sequence = sequence
            self.hash = hash
        }
    }

    package init(points: [ResumePoint], probes: [Probe], receiptsAfter: UInt64) {
        self.points = points
        self.probes = probes
        self.receiptsAfter = receiptsAfter
    }
}

/// What the server answers to an inquiry, beside the replica's last transaction.
package struct Findings: Hashable, Sendable {
    /// The highest of the points that is of this server's history; zero always is.
    package let common: ResumePoint
    /// The last of the probes that the server has decided with just that hash, and so all before
    /// it; 0 where it knows of none.
    package let known: UInt64
    /// Of transactions up to `known`, as many as are kept and fit, in order.
    package let receipts: [Receipt]
    /// The id belongs to a replica of somebody else, of which nothing is told.
    package let isForeign: Bool

    package init(
        common: ResumePoint, known: UInt64, receipts: [Receipt], isForeign: Bool
    ) {
        self.common = common
        self.known = known
        self.receipts = receipts
        self.isForeign = isForeign
    }
}
