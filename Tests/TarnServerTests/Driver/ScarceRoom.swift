import Synchronization
import TarnServer

/// Room for so many bytes, and who waits for more.
final class ScarceRoom: OutputRoom {
    private struct State {
        var byteCount: Int
        var taken = 0
        var waiting: [RealmSessionID] = []
    }

    private let state: Mutex<State>

    init(_ byteCount: Int) { state = Mutex(State(byteCount: byteCount)) }

    var taken: Int { state.withLock { $0.taken } }
    var waiting: [RealmSessionID] { state.withLock { $0.waiting } }

    func isThere(for session: RealmSessionID) -> Bool {
        state.withLock { state in
            if state.byteCount > 0 { return true }
            state.waiting.append(session)
            return false
        }
    }

    func take(_ byteCount: Int, for session: RealmSessionID) -> Bool {
        state.withLock { state in
            guard state.byteCount > 0 else {
                state.waiting.append(session)
                return false
            }
            state.byteCount -= byteCount
            state.taken += byteCount
            return true
        }
    }

    /// All is written, and so much is there from now on.
    /// - Returns: who is to be told.
    func give(_ byteCount: Int) -> [RealmSessionID] {
        state.withLock { state in
            state.byteCount = byteCount
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
