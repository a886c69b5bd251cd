/// What kind of world a seed makes: some are calm with much work, some fall apart all the time.
struct Profile {
    let users: Int
    let replicasAUser: Int
    /// Whether some replicas are used by two processes.
    let sharesReplicas: Bool
    /// Milliseconds between two acts of a user, at most.
    let pauseMax: Int
    /// Steps between two faults, about.
    let stepsAFault: Int
    /// One delivery in so many cuts its connection.
    let deliveriesACut: Int
    /// One append in so many fails.
    let appendsAFailure: Int
    /// Steps between two times of quiet.
    let stepsAQuiet: Int
    /// Milliseconds that a message is under way, at most.
    let delayMax: Int

    init(_ dice: Dice) {
        users = dice.once(in: 3) ? 2 : 1
        replicasAUser = dice.roll(2...(users == 2 ? 3 : 4))
        sharesReplicas = dice.once(in: 2)
        pauseMax = dice.pick([400, 1_500, 4_000]) ?? 400
        stepsAFault = dice.pick([40, 120, 400]) ?? 120
        deliveriesACut = dice.pick([40, 200, 1_000]) ?? 200
        appendsAFailure = dice.pick([15, 60, 1_000]) ?? 60
        stepsAQuiet = dice.pick([150, 500, 1_500]) ?? 500
        delayMax = dice.pick([20, 200, 1_500]) ?? 200
    }
}
