import Synchronization
import TarnModel
import TarnProtocol
import TarnServer

/// What realms may have on its way to one connection: in the mailbox of its loop, or waiting there
/// for the network. Sessions that find no room wait in a row, and are told in turn.
///
/// While nobody waits, whoever comes takes what there is. As soon as somebody does, everybody gets
/// one part for each time that he is told, so that no realm takes the room of another.
///
/// Realms and the connection's loop are different threads: all of the state is behind one mutex,
/// which is held for a few look-ups and never together with another.
final class ConnectionRoom: OutputRoom {
    /// Above this nothing more is taken. With the part that goes over it and what the connection
    /// itself holds back, it is what a client that does not read costs.
    static let byteCountMax = 4 * ProtocolLimits.messageBytesMax

    private struct State {
        var realms: [RealmSessionID: RealmID] = [:]
        /// Taken, and not written yet as far as is known.
        var taken = 0
        /// Of these, what the connection holds since it is not writable.
        var held = 0
        var isHeldBack = false
        /// In the order in which they found no room.
        var waiting: [RealmSessionID] = []
        /// They are told that there is room for a part, and have not taken it.
        var told: Set<RealmSessionID> = []

        func hasRoom(for session: RealmSessionID) -> Bool {
            guard !isHeldBack, taken < byteCountMax else { return false }
            return waiting.isEmpty && told.isEmpty || told.contains(session)
        }

        mutating func wait(_ session: RealmSessionID) {
            told.remove(session)
            if !waiting.contains(session) { waiting.append(session) }
        }

        mutating func takeNextToTell() -> RealmSessionID? {
            let promised = taken + told.count * ProtocolLimits.partBytesMax
            guard !isHeldBack, promised < byteCountMax, !waiting.isEmpty else {
                return nil
            }
            let session = waiting.removeFirst()
            if realms[session] != nil { told.insert(session) }
            return session
        }
    }

    private let tell: @Sendable (RealmSessionID, RealmID) -> Void
    private let state = Mutex(State())

    /// - Parameter tell: tells a session, on whichever thread, that there is room.
    init(tell: @escaping @Sendable (RealmSessionID, RealmID) -> Void) { self.tell = tell }

    // MARK: From realms

    func isThere(for session: RealmSessionID) -> Bool {
        if state.withLock({ $0.hasRoom(for: session) }) { return true }
        // Perhaps there is room besides what is promised to others, who may be slow to come.
        tellNext { $0.wait(session) }
        return false
    }

    func take(_ byteCount: Int, for session: RealmSessionID) -> Bool {
        let isTaken = state.withLock { state in
            guard state.hasRoom(for: session) else { return false }
            state.told.remove(session)
            state.taken += byteCount
            return true
        }
        if !isTaken { tellNext { $0.wait(session) } }
        return isTaken
    }

    /// A session that was told of room has had its turn.
    func pass(by session: RealmSessionID) {
        tellNext { _ = $0.told.remove(session) }
    }

    // MARK: From the connection's loop

    func belongs(_ session: RealmSessionID, to realm: RealmID) {
        state.withLock { $0.realms[session] = realm }
    }

    func forget(_ session: RealmSessionID) {
        tellNext { state in
            state.realms[session] = nil
            state.told.remove(session)
            state.waiting.removeAll { $0 == session }
        }
    }

    /// The connection has what was taken, and holds it back if it cannot write.
    func handedOver(_ byteCount: Int, isWritten: Bool) {
        tellNext { state in
            if isWritten, !state.isHeldBack {
                state.taken -= byteCount
            } else {
                state.isHeldBack = true
                state.held += byteCount
            }
        }
    }

    /// The connection has written what it held back, or is no more.
    func drained() {
        tellNext { state in
            state.isHeldBack = false
            state.taken -= state.held
            state.held = 0
        }
    }

    /// Tells as many as there is room for a part each.
    private func tellNext(after change: (inout State) -> Void) {
        let told = state.withLock { state in
            change(&state)
            var told: [(RealmSessionID, RealmID)] = []
            while let session = state.takeNextToTell() {
                if let realm = state.realms[session] { told.append((session, realm)) }
            }
            return told
        }
        for (session, realm) in told { tell(session, realm) }
    }
}
