import TarnServer

/// How much a world's server says at once, and how much of the past it keeps. In most worlds all is
/// small, so that little work is a large download, and a short absence a long one.
struct ServerMeans {
    let pieces: PieceLimits
    let history: HistoryPolicy

    init(_ dice: Dice) {
        pieces =
            dice.once(in: 4)
            ? .standard
            : PieceLimits(
                objectsAGroup: dice.roll(1...4), bytesAGroup: dice.pick([60, 400, 1 << 19]) ?? 400,
                objectsATurn: dice.roll(1...10), recentObjects: dice.roll(0...6))
        var history = HistoryPolicy()
        if dice.once(in: 6) { history.versions = dice.pick([5, 30, 100]) ?? 30 }
        self.history = history
    }
}
