/// A stream in both directions: it keeps the order, and may end anywhere, at either side's notice
/// early or late.
final class Connection {
    let number: Int
    /// The client's process.
    let process: Int
    let machine: Int
    let dice: Dice
    var toServer: [[UInt8]] = []
    /// With what each takes of the room.
    var toClient: [(bytes: [UInt8], room: Int)] = []
    let room: SimulatedRoom
    /// Milliseconds that a message is under way, at most.
    let delayMax: (up: Int, down: Int)
    /// Until then the client reads nothing, and what it writes goes nowhere.
    var readsAt: Int64 = 0
    var writesAt: Int64 = 0
    /// Nothing goes through any more, whoever has noticed.
    var isCut = false
    /// So many messages are still delivered before it is cut; nil where it is not to be.
    var deliveriesToCut: Int?
    var isOpenAtClient = true
    var isOpenAtServer = true

    init(number: Int, process: Int, machine: Int, delayMax: Int, dice: Dice) {
        self.number = number
        self.process = process
        self.machine = machine
        self.dice = dice
        room = SimulatedRoom(byteCountMax: dice.pick([1, 500, 5_000, 200_000]) ?? 1)
        self.delayMax = (
            dice.pick([1, delayMax, 3 * delayMax]) ?? 1,
            dice.pick([1, delayMax, 3 * delayMax]) ?? 1
        )
    }
}
