import TarnCBOR
import TarnModel
import TarnProtocol
import TarnStorage

/// What a replica is told that has found its memory and the server's to differ: enough to send what
/// the server lacks, and nothing twice. Nothing is changed by it, and nobody fenced.
extension RealmEngine {
    func answer(
        _ inquiry: Inquiry, of visitor: RealmVisitor, _ request: OpenRequest,
        to id: RealmSessionID
    ) throws(StorageError) {
        let live = byReplica[request.replica].flatMap { sessions[$0]?.head }
        let stored = try store.head(of: request.replica)
        let known = live ?? stored
        let isForeign = known.map { $0.user != visitor.user } ?? false
        let head = known.flatMap { isForeign ? nil : $0 } ?? ReplicaHead(user: visitor.user)
        var common = ResumePoint.zero
        // Below the floor nobody can tell, and work that is taken for known would be lost.
        for point in inquiry.points
        where point.version > common.version && point.version >= store.floor {
            if try isOfHistory(point) { common = point }
        }
        let receipts = try store.receipts(of: request.replica, after: 0)
        let decided = isForeign ? 0 : last(of: inquiry.probes, in: head, receipts)
        let findings = Findings(
            common: common, known: decided,
            receipts: Self.fitting(
                receipts.filter {
                    $0.sequence > inquiry.receiptsAfter && $0.sequence <= decided
                }),
            isForeign: isForeign)
        let reply = OpenReply(
            realm: self.id, sequence: head.sequence, hash: head.hash, latest: store.applied,
            credit: 0, findings: findings)
        actions.append(.send(id, .opened(id.channel, reply)))
        actions.append(.closed(id))
    }

    /// The last probe that is of the chain as it is remembered: its ends, and the kept receipts.
    private func last(
        of probes: [Inquiry.Probe], in head: ReplicaHead, _ receipts: [Receipt]
    ) -> UInt64 {
        var hashes = Dictionary(
            receipts.map { ($0.sequence, $0.hash) }, uniquingKeysWith: { $1 })
        hashes[head.confirmedSequence] = head.confirmedHash
        hashes[head.sequence] = head.hash
        return probes.filter { hashes[$0.sequence] == $0.hash }.map(\.sequence).max() ?? 0
    }

    /// As many as go into a message. One that is too long by itself is left out: its transaction
    /// counts as accepted then.
    private static func fitting(_ receipts: [Receipt]) -> [Receipt] {
        var byteCount = 0
        var fitting: [Receipt] = []
        for receipt in receipts {
            var writer = CBORWriter()
            writer.write(receipt)
            let size = writer.bytes.count
            guard size <= ProtocolLimits.findingsBytesMax else { continue }
            byteCount += size
            guard byteCount <= ProtocolLimits.findingsBytesMax else { break }
            fitting.append(receipt)
        }
        return fitting
    }
}
