/// Which of the rare things happen in a world, beside its weather: folders are copied, disks and
/// servers restored from backups. Most worlds know none of them.
struct Mishaps {
    /// What one of them is.
    enum Kind: CaseIterable {
        /// A replica's folder is copied to another computer, and used on both.
        case copiesReplica
        /// A replica's folder is backed up, or becomes what it was in its last backup.
        case backsUpReplica, restoresReplica
        /// The same with the server's disk.
        case backsUpServer, restoresServer
    }

    /// Each as likely as the others; none where nothing happens.
    let kinds: [Kind]
    /// Computers that may come to a world by copying.
    let copiesMax: Int
    /// Milliseconds between two of them, at most.
    let pauseMax: Int

    /// Whether each disk only ever has what was written on it, and all of that.
    var leavesDisks: Bool {
        !kinds.contains(.copiesReplica) && !kinds.contains(.restoresReplica)
    }

    /// Whether the server's clock is never wrong by so much that archives are forgotten. Copies of
    /// which only one has forgotten part of what a server has lost do not know the rest for the
    /// same work any more.
    var keepArchives: Bool { kinds.contains(.restoresServer) && !leavesDisks }

    init(_ dice: Dice) {
        let isAny = dice.once(in: 3)
        let copies = dice.roll(0...2) > 0
        let restores = dice.roll(0...2) > 0
        let rewinds = dice.roll(0...2) > 0
        var kinds: [Kind] = []
        if copies || !restores && !rewinds { kinds += [.copiesReplica] }
        if restores { kinds += [.backsUpReplica, .restoresReplica] }
        if rewinds { kinds += [.backsUpServer, .restoresServer] }
        self.kinds = isAny ? kinds : []
        copiesMax = self.kinds.contains(.copiesReplica) ? dice.roll(1...3) : 0
        pauseMax = dice.pick([1_500, 6_000, 25_000]) ?? 6_000
    }
}
