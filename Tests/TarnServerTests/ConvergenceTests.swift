import TarnModel
import TarnProtocol
import TarnServer
import TarnTesting
import Testing

/// Many replicas, random work on stale bases, lost wires, lost tails: whatever happens, each group
/// brings a replica to just what the server has, and at the end all agree.
struct ConvergenceTests {
    private static let questions = [
        "Project", "Item", "Project WHERE owner == $user", "Item WHERE isDone == false",
        "Item SORT(priority DESC) LIMIT(3)", "Project WHERE ANY items.isDone == true",
        "Item WHERE project.rank > 1", "Item WHERE next.next.priority != null",
        "Project WHERE items.@count > 1 SORT(rank, projectId DESC) LIMIT(2)",
        "Project WHERE parent.owner == $user",
        "Item SORT(project.rank, body) LIMIT(4)", "Team", "Badge",
        "Team WHERE ANY members.isDone == true SORT(score) LIMIT(3)",
    ]

    private struct Run {
        let stage: Stage
        var random: SeededGenerator
        var clients: [Client] = []
        var writers: [RandomWriter] = []
        /// Of all sessions, also those that are over.
        var rooms: [ScarceRoom] = []
        var subscriptions: Int64 = 0

        init(
            seed: UInt64, versions: Int = HistoryPolicy().versions,
            pieces: PieceLimits = .standard
        ) {
            random = SeededGenerator(seed: seed)
            var history = HistoryPolicy()
            history.versions = versions
            stage = Stage(history: history, pieces: pieces)
            let first = Client(stage, 99)
            first.resume()
            first.commit(
                .addClass(ToDo.project), .addClass(ToDo.item), .addClass(ToDo.badge),
                .addClass(ToDo.team))
            first.disconnect()
            for number in 0..<4 {
                let client = Client(stage, UInt64(number + 1))
                client.checksEveryGroup = true
                client.isThrifty = number != 3
                client.clockAhead = Int64.random(in: -5000...5000, using: &random)
                clients.append(client)
                writers.append(RandomWriter(seed: random.next()))
            }
        }

        mutating func chance(_ percent: Int) -> Bool {
            Int.random(in: 0..<100, using: &random) < percent
        }

        mutating func connect(_ client: Client) {
            client.isPrompt = false
            let room = ScarceRoom([0, 1, 300, 1 << 30].randomElement(using: &random) ?? 0)
            rooms.append(room)
            client.open(
                credit: UInt64([0, 30, 500, 1 << 20].randomElement(using: &random) ?? 0),
                room: room)
            client.askAgain()
            client.say(.start(client.channel))
        }

        func give(_ byteCount: Int, in room: ScarceRoom) {
            for session in room.give(byteCount) { stage.engine.roomCame(for: session) }
        }

        mutating func subscribe(_ client: Client) {
            subscriptions += 1
            client.subscribe(
                subscriptions, ConvergenceTests.questions.randomElement(using: &random) ?? "Item",
                depth: Int.random(in: 0...4, using: &random))
        }

        mutating func step() throws {
            stage.now += Int64.random(in: 0...20, using: &random)
            let index = Int.random(in: clients.indices, using: &random)
            let client = clients[index]
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<25: writers[index].write(client)
            case 25..<45: client.uploadNext()
            case 45..<60: stage.turn()
            case 60..<72: client.deliver(atMost: Int.random(in: 1...5, using: &random))
            case 72..<80: stage.completeLog()
            case 80..<83: stage.holdsLog.toggle()
            case 83..<88: if !client.isOpen { connect(client) }
            case 88..<90: client.disconnect()
            case 90..<95:
                guard client.isOpen else { return }
                if let number = client.subscriptions.keys.sorted().randomElement(using: &random),
                    chance(40)
                {
                    client.unsubscribe(number)
                } else if client.subscriptions.count < 4 {
                    subscribe(client)
                }
            case 95..<96: if stage.waiting == nil { stage.checkpoint() }
            case 96..<97: if stage.waiting != nil { stage.failLog() }
            case 97..<98:
                guard stage.waiting != nil else { return }
                try stage.appendWithoutAnswer()
                try stage.restart(losing: Int.random(in: 0...8, using: &random))
            default:
                // Some of what was sent is written.
                guard let room = rooms.randomElement(using: &random) else { return }
                give(Int.random(in: 1...400, using: &random), in: room)
            }
            if stage.engine.isBroken || chance(1) {
                try stage.restart(losing: Int.random(in: 0...8, using: &random))
            }
        }

        mutating func quiet() throws {
            stage.holdsLog = false
            stage.completeLog()
            if stage.engine.isBroken { try stage.restart() }
            for room in rooms { give(1 << 40, in: room) }
            stage.settle()
            for client in clients {
                client.isPrompt = true
                if !client.isOpen { client.resume() }
                client.say(.credit(client.channel, bytes: 1 << 30))
                stage.settle()
                while client.uploadRest() { stage.settle() }
            }
            stage.settle()
        }
    }

    @Test(arguments: [UInt64](1...40))
    func `whatever happens, replicas agree with the server`(seed: UInt64) throws {
        try converge(Run(seed: seed))
    }

    @Test(arguments: [UInt64](100...139))
    func `so they do where little of the past is kept`(seed: UInt64) throws {
        try converge(Run(seed: seed, versions: Int(seed % 7)))
    }

    @Test(arguments: [UInt64](200...279))
    func `so they do where every download comes in pieces`(seed: UInt64) throws {
        let pieces = PieceLimits(
            objectsAGroup: 1 + Int(seed % 3), bytesAGroup: 100, objectsATurn: 3,
            recentObjects: Int(seed % 4))
        try converge(Run(seed: seed, versions: Int(seed % 40), pieces: pieces))
    }

    @Test func `such downloads are cut and go on, and digests are told`() throws {
        let pieces = PieceLimits(
            objectsAGroup: 1, bytesAGroup: 100, objectsATurn: 3, recentObjects: 1)
        var (digests, groups, continuations) = (0, 0, 0)
        for seed in UInt64(300)..<400 {
            var run = Run(seed: seed, versions: 10, pieces: pieces)
            for _ in 0..<400 { try run.step() }
            digests += run.clients.reduce(0) { $0 + $1.toldDigests }
            groups += run.clients.reduce(0) { $0 + $1.stagedGroups }
            continuations += run.clients.reduce(0) { $0 + $1.continuations }
            if digests > 0, groups > 0, continuations > 0 { return }
        }
        Issue.record("\(digests) digests, \(groups) groups, \(continuations) continuations")
    }

    private func converge(_ begun: Run) throws {
        var run = begun
        for _ in 0..<400 { try run.step() }
        try run.quiet()

        for client in run.clients {
            #expect(client.errors.filter { $0.code != .storageFailed } == [])
            #expect(client.pending == 0)
            try client.expectAgreement("at the end, \(client.replica)")
        }
        // A replica that comes afresh sees the same.
        let fresh = Client(run.stage, 1000)
        fresh.open()
        for (index, question) in Self.questions.enumerated() {
            fresh.subscribe(Int64(index), question, depth: index % 5)
        }
        fresh.say(.start(fresh.channel))
        run.stage.settle()
        try fresh.expectAgreement("afresh")
    }
}
