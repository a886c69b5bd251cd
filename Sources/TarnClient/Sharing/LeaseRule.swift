package import TarnStorage

/// Who leads a replica's synchronisation. The law: of all processes that go by this rule, at most
/// one leads at a time, and after a leader has stopped another leads within `staleAfter`. A leader
/// that was asleep meanwhile learns it from the epoch before it writes anything.
package enum LeaseRule {
    /// Milliseconds between renewals.
    package static let renewEvery: Int64 = 1_000
    /// Milliseconds after which a lease that was not renewed may be taken.
    package static let staleAfter: Int64 = 4_000

    package enum Verdict: Hashable, Sendable {
        /// Nobody leads: store this lease and lead.
        case acquire(Lease)
        /// Another process leads: look again after so many milliseconds.
        case wait(Int64)
        /// This process leads; store this lease where there is one, to renew it.
        case lead(Lease?)
        /// This process led, and has been taken over from.
        case lost
    }

    /// - Parameters:
    ///   - held: the epoch under which this process leads, as far as it knows; else nil.
    ///   - now: milliseconds since the machine booted.
    ///   - isAlive: whether the lease's holder is a running process.
    package static func verdict(
        on lease: Lease, by own: LeaseHolder, holding held: UInt64?, now: Int64, isAlive: Bool
    ) -> Verdict {
        if let held {
            // Who has the same number and epoch is this process, however late it is.
            guard lease.epoch == held, lease.holder == own else { return .lost }
            return .lead(isDue(lease, now) ? renewed(lease, now) : nil)
        }
        guard let holder = lease.holder, holder != own, holder.boot == own.boot, isAlive,
            age(of: lease, now) < staleAfter
        else { return .acquire(Lease(epoch: lease.epoch &+ 1, holder: own, renewed: now)) }
        return .wait(min(max(staleAfter - age(of: lease, now), 1), renewEvery))
    }

    /// The lease as it is left behind by a leader that stops in good order.
    package static func released(_ lease: Lease, now: Int64) -> Lease {
        Lease(epoch: lease.epoch, holder: nil, renewed: now)
    }

    private static func isDue(_ lease: Lease, _ now: Int64) -> Bool {
        age(of: lease, now) >= renewEvery
    }

    private static func renewed(_ lease: Lease, _ now: Int64) -> Lease {
        Lease(epoch: lease.epoch, holder: lease.holder, renewed: now)
    }

    /// A lease from the future is of a clock that we do not understand: it counts as old.
    private static func age(of lease: Lease, _ now: Int64) -> Int64 {
        let (age, overflow) = now.subtractingReportingOverflow(lease.renewed)
        return overflow || age < 0 ? .max : age
    }
}
