import CLinux
import Glibc
import TarnCrypto
import TarnModel

/// The transactions of one replica, each sealed onto the chain of those before it.
struct TransactionSeries {
    let replica: ReplicaID
    private(set) var last: TransactionID
    private var hash = ChainHash.zero

    init(of replica: ReplicaID) {
        self.replica = replica
        last = TransactionID(replica: replica, sequence: 0)
    }

    mutating func seal(_ changes: [Change], base: ResumePoint) -> SealedTransaction {
        last = TransactionID(replica: replica, sequence: last.sequence + 1)
        let body = TransactionEncoder.body(
            of: Transaction(id: last, base: base, changes: changes))
        hash = hash.extended(by: body) { SHA256.hash($0) }
        return SealedTransaction(
            body: body, hash: hash, clockTicks: Stamp.ticks(milliseconds: WallTime.milliseconds))
    }
}

enum WallTime {
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
