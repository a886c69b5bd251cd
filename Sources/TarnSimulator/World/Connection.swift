/// A stream in both directions: it keeps the order, and may end anywhere, at either side's notice
/// early or late.
final class Connection {
    let number: Int
    /// The client's process.
    let process: Int
    let machine: Int
    let dice: Dice
    var toServer: [[UInt8]] = []
    var toClient: [[UInt8]] = []
    /// Nothing goes through any more, whoever has noticed.
    var isCut = false
    /// So many messages are still delivered before it is cut; nil where it is not to be.
    var deliveriesToCut: Int?
    var isOpenAtClient = true
    var isOpenAtServer = true

    init(number: Int, process: Int, machine: Int, dice: Dice) {
        self.number = number
        self.process = process
        self.machine = machine
        self.dice = dice
    }
}
