/// What kind of world a seed makes: some are calm with much work, some fall apart all the time.
struct Profile {
    let users: Int
    let replicasAUser: Int
    /// Each of a user's machines has a replica of each of his realms.
    let realmsAUser: Int
    /// Whether some replicas are used by two processes.
    let sharesReplicas: Bool
    /// Milliseconds between two acts of a user, at most.
    let pauseMax: Int
    /// Milliseconds between two faults, at most.
    let faultPauseMax: Int
    /// Milliseconds between two times of quiet, at most.
    let quietPauseMax: Int
    /// Milliseconds that a message is under way, at most.
    let delayMax: Int
    let mishaps: Mishaps

    /// - Parameter fate: throws for the mishaps alone, so that a world without any is as it would
    ///   be if there were none.
    init(_ dice: Dice, fate: Dice) {
        users = dice.once(in: 3) ? 2 : 1
        realmsAUser = dice.once(in: 4) ? 2 : 1
        replicasAUser = dice.once(in: 8) ? 6 : dice.roll(2...(users * realmsAUser > 1 ? 3 : 4))
        sharesReplicas = dice.once(in: 2)
        pauseMax = dice.pick([400, 1_500, 4_000]) ?? 400
        faultPauseMax = dice.pick([300, 1_000, 4_000]) ?? 1_000
        quietPauseMax = dice.pick([20_000, 60_000, 200_000]) ?? 60_000
        delayMax = dice.pick([20, 200, 1_500]) ?? 200
        mishaps = Mishaps(fate)
    }
}
