import TarnProtocol
import TarnStorage

/// What can happen in a world. Who is no more when an event comes is named by a number that nobody
/// has any more.
enum WorldEvent {
    // Machines.
    case localChange(machine: Int)
    case machineStarts(Int)
    case networkReturns(machine: Int)
    case processStarts(machine: Int)

    // Processes, by number.
    /// To look whether to lead.
    case tick(process: Int)
    case timer(process: Int, generation: Int)
    case connectAnswered(process: Int, attempt: Int)

    // Connections, by number.
    case deliverToServer(Int)
    case deliverToClient(Int)
    case serverNoticesEnd(Int)
    case clientNoticesEnd(Int)
    case loginDone(connection: Int, Credentials)

    // The server; realms by their place, and the daemon's life that was meant.
    case turn(realm: Int, life: Int)
    case logWrite(realm: Int, life: Int)
    case logAnswered(realm: Int, life: Int, StorageError?)
    case serverStarts

    /// The trouble of that generation with a machine's disk is over, or the server's.
    case diskIsWell(machine: Int?, generation: Int)
}
