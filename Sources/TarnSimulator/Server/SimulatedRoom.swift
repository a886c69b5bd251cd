import Synchronization
import TarnServer

/// Room on the way to one client, which runs dry while that does not read.
final class SimulatedRoom: OutputRoom {
    private struct State {
        var taken = 0
        /// In the order in which they found no room.
        var waiting: [RealmSessionID] = []
    }

    /// Above this nothing more is taken.
    private let byteCountMax: Int
    /// All that changes; held for a comparison and an addition.
    private let state = Mutex(State())

    init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

    func isThere(for session: RealmSessionID) -> Bool { take(0, for: session) }

    func take(_ byteCount: Int, for session: RealmSessionID) -> Bool {
        state.withLock { state in
            guard state.taken < byteCountMax else {
                if !state.waiting.contains(session) { state.waiting.append(session) }
                return false
            }
            state.taken += byteCount
            return true
        }
    }

    var isDry: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// A part has been read.
    /// - Returns: who is to be told that there is room.
    func giveBack(_ byteCount: Int) -> [RealmSessionID] {
        state.withLock { state in
            state.taken -= byteCount
            guard state.taken < byteCountMax else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
