import TarnModel
package import TarnProtocol
import TarnStorage

extension Replica {
    /// Takes in what the server sent: all of it in one storage transaction, or none.
    ///
    /// Throws `misfit` where the group does not begin at what has been integrated, or makes no
    /// sense; `forked` where its receipts are not of this outbox; `leaseLost` where another process
    /// has taken over since.
    ///
    /// A group with receipts is written with full durability. What it says could be fetched again,
    /// but the server forgets an outcome once it has been told that the receipt is here: a crash of
    /// the machine after that would leave a transaction in the outbox that nobody can decide any
    /// more, and lose a refused one's body. A group without receipts is relaxed: if it is lost,
    /// resume point and contents are lost together, with every later group, and are fetched again.
    ///
    /// - Parameter epoch: of the lease under which the group was fetched; nil where nobody else can
    ///   have the store open.
    package func integrate(
        _ group: Group, dictionary: inout ClassDictionary, epoch: UInt64? = nil
    ) throws(ReplicaError) {
        try integrate(group, dictionary: &dictionary, epoch: epoch, recovering: nil)
    }

    /// The same, with what the replica does about its fork or its server's rewind.
    func integrate(
        _ group: Group, dictionary: inout ClassDictionary, epoch: UInt64?,
        recovering recovery: Recovery?
    ) throws(ReplicaError) {
        var names = dictionary
        names.add(group.classes)
        do {
            let isRelaxed = group.receipts.isEmpty && recovery == nil
            try inTransaction(.writing(isRelaxed ? .relaxed : .full)) {
                try apply(group, by: names, epoch: epoch, recovery)
            }
        } catch {
            throw ReplicaError(error)
        }
        dictionary = names
    }

    private func apply(
        _ group: Group, by dictionary: ClassDictionary, epoch: UInt64?, _ recovery: Recovery?
    ) throws {
        try expectLease(epoch)
        let series = try store.stagedSeries()
        let point = try recovery?.point ?? store.resumePoint()
        guard series?.from ?? point == point, series?.to ?? point == group.from,
            group.to.version >= group.from.version
        else {
            throw ReplicaError(
                .misfit, "the server's group does not begin where the replica stands")
        }
        let renewed = try recovery.map { try carryOut($0, with: group) } ?? []
        let identity = try reader().identity
        var integration = try Integration(self, as: identity)
        integration.renew(renewed)
        let known = try store.subscriptions()
        var answered: Set<Int64> = []
        // A view of a subscription that has been given up meanwhile is nobody's.
        let numbers = Set(known.map(\.number))
        func take(_ group: Group, by dictionary: ClassDictionary) throws {
            try integration.adopt(group.classes)
            for view in group.views where numbers.contains(view.subscription) {
                try integration.apply(view, by: dictionary)
                answered.insert(view.subscription)
            }
        }
        if series != nil {
            try forEachStaged(take)
            try dropStaged()
        }
        try integration.take(group.receipts, at: group.time)
        try take(group, by: dictionary)
        try settle(known, by: group, answered: answered, &integration)
        try store.setResumePoint(group.to)
        try forgetCommon(identity)
        if !group.receipts.isEmpty || recovery != nil {
            try store.trimArchive(to: archiveBounds, now: group.time)
        }
        var status = try store.syncStatus()
        status.upToDate = group.time
        try store.setSyncStatus(status)
        try store.noteChanges(try integration.finish().sorted())
    }

    /// Where the subscriptions stand after a group.
    private func settle(
        _ known: [StoredSubscription], by group: Group, answered: Set<Int64>,
        _ integration: inout Integration
    ) throws {
        let numbers = Set(known.map(\.number))
        for fault in group.faults where numbers.contains(fault.subscription) {
            let members = try store.members(of: fault.subscription)
            for object in members { try store.removeMember(object, of: fault.subscription) }
            integration.leave(members)
            try store.setState(.error(fault.sentence), of: fault.subscription)
        }
        let faulty = Set(group.faults.map(\.subscription))
        for subscription in known where !faulty.contains(subscription.number) {
            // One version holds for all that a replica has, so an older answer is true again.
            let isComplete = if case .complete = subscription.state { true } else { false }
            guard isComplete || answered.contains(subscription.number) else { continue }
            try store.setState(
                .complete(group.to.version, at: group.time), of: subscription.number)
        }
    }

    /// What bases count as that are not of the server's history is told as long as there may be
    /// such bases.
    private func forgetCommon(_ identity: ReplicaIdentity) throws {
        var identity = identity
        guard identity.common != nil, try store.pendingCount() == 0 else { return }
        identity.common = nil
        try store.setIdentity(identity)
    }
}
