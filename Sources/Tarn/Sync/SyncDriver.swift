import TarnClient
package import TarnStorage
package import TarnTransport

/// Keeps a replica in step with its server for as long as this process wants it: leads the
/// synchronisation where nobody else does, follows where somebody does, and takes over when they
/// are gone.
///
///     idle ──start──▶ following ◀──▶ leading ──stop──▶ idle
///
/// It joins the client's engine to an event loop, and belongs to that loop's thread. Nothing that
/// fails ends it: failures become sentences in the status, and it tries again.
package final class SyncDriver {
    /// What happened, for who shows it.
    package enum Notice: Equatable, Sendable {
        /// Results, subscriptions or receipts are others now, whoever changed them.
        case replicaChanged
        case statusChanged(SyncStatus)
        /// This process begins or ceases to lead.
        case roleChanged
        /// The replica was removed: the user has logged out. It is the last notice.
        case replicaGone
    }

    package enum Role: Equatable, Sendable {
        case idle
        /// Another process leads; nil while that is not known.
        case following(LeaseHolder?)
        case leading(epoch: UInt64)
    }

    package let shared: SharedReplica
    package let loop: EventLoop
    package internal(set) var role = Role.idle
    /// As the leading process knows it.
    package internal(set) var status = SyncStatus(
        connection: .offline, upToDate: nil, problem: nil)
    /// What ended the leader's synchronisation for good, while this process leads.
    package internal(set) var fault: TarnError?
    /// Whether a group of this session has been taken in, so that the replica is fresh.
    package internal(set) var isFresh = false

    let profile: Profile
    var account: Account
    package let holder: LeaseHolder
    let isAlive: (LeaseHolder) -> Bool
    let program: String
    var random = SystemRandomNumberGenerator()

    var hear: (Notice) -> Void = { _ in }
    var engine: SyncEngine?
    /// Kept from one connection to the next, so that TLS goes on from the session before.
    var trust: TLSClientContext?
    var link: ServerLink?
    var mark: ReplicaMark?
    var wakeWatch: WakeWatch?
    var leaderWatch: ProcessWatch?
    var lookTimer: LoopTimer?
    var engineTimer: LoopTimer?

    /// - Parameters:
    ///   - account: who is logged in; a token that comes later is kept in the profile.
    ///   - holder: this process; nil to ask the system.
    ///   - isAlive: whether the holder of a lease is a running process.
    ///   - program: what it calls itself to the server.
    package init(
        _ shared: SharedReplica, of account: Account, in profile: Profile,
        on loop: EventLoop,
        program: String = "tarn", holder: LeaseHolder? = nil,
        isAlive: @escaping (LeaseHolder) -> Bool = RunningProcess.isRunning
    ) throws(TarnError) {
        self.shared = shared
        self.account = account
        self.profile = profile
        self.loop = loop
        self.program = program
        self.holder = if let holder { holder } else { try RunningProcess.current() }
        self.isAlive = isAlive
    }

    /// Begins to follow, or to lead at once where nobody does.
    package func start(_ hear: @escaping (Notice) -> Void) throws(TarnError) {
        loop.preconditionOnThread()
        precondition(role == .idle, "it is started once")
        wakeWatch = try WakeWatch(shared.wake.path, on: loop) { [unowned self] isGone in
            woken(isGone: isGone)
        }
        self.hear = hear
        mark = try? ReplicaMark(shared)
        status = mark?.status ?? status
        fault = nil
        isFresh = false
        role = .following(nil)
        look()
    }

    /// Gives the lease back and says goodbye to the server, and calls back when both is done.
    package func stop(then finished: @escaping () -> Void = {}) {
        loop.preconditionOnThread()
        wakeWatch?.cancel()
        wakeWatch = nil
        hear = { _ in }
        leave(then: finished)
        role = .idle
    }

    /// Gives the lease back and says goodbye, but may be resumed. Notices are few until then.
    package func pause(then finished: @escaping () -> Void) {
        loop.preconditionOnThread()
        // Where there is nothing to say goodbye to, it has left at once.
        var (isLeaving, hasLeft) = (true, false)
        leave {
            hasLeft = true
            if !isLeaving { finished() }
        }
        // Not even its own announcement makes it lead again before that.
        role = .idle
        isLeaving = false
        if hasLeft { finished() }
    }

    package func resume() {
        loop.preconditionOnThread()
        guard role == .idle, wakeWatch != nil else { return }
        role = .following(nil)
        look()
        notice()
    }

    func now() -> Moment { Clock.moment() }
}
