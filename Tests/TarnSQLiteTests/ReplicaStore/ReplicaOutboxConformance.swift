import TarnModel
import TarnStorage
import Testing

/// What is pending, what was decided, and what is subscribed to.
@Suite(.serialized) struct ReplicaOutboxConformance {
    private let objects = (1...3).map { ObjectID(classNumber: 0, number: $0) }

    private func entry(_ sequence: UInt64) -> OutboxEntry {
        OutboxEntry(
            sequence: sequence,
            sealed: SealedTransaction(
                body: [UInt8](repeating: UInt8(sequence), count: Int(sequence)), hash: .zero,
                clockTicks: UInt64.max - sequence))
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `pending transactions come in order, in as many pieces as asked for`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().open()
        try store.write {
            for sequence in 1...5 as ClosedRange<UInt64> {
                try store.append(entry(sequence), touching: [])
            }
            try store.removePending(2)
            try store.removePending(9)
        }

        try store.read { () throws in
            #expect(try store.pendingCount() == 4)
            #expect(try store.pending(after: 0, limit: 2) == [entry(1), entry(3)])
            #expect(try store.pending(after: 3, limit: 9) == [entry(4), entry(5)])
            #expect(try store.pending(after: 5, limit: 9) == [])
            #expect(try store.pending(4) == entry(4))
            #expect(try store.pending(2) == nil)
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `it is known what pending transactions touch, and by which a thing is touched`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().open()
        try store.write {
            try store.append(entry(1), touching: [objects[0], objects[1]])
            try store.append(entry(2), touching: [objects[1]])
            try store.addTouch(objects[2], by: 2)
            try store.addTouch(objects[1], by: 2)
        }
        try store.read { () throws in
            #expect(try store.sequences(touching: objects[1]) == [1, 2])
            #expect(try store.objects(touchedBy: 2) == [objects[1], objects[2]])
        }

        try store.write { try store.removePending(2) }

        try store.read { () throws in
            #expect(try store.sequences(touching: objects[1]) == [1])
            #expect(try store.sequences(touching: objects[2]) == [])
            #expect(try store.objects(touchedBy: 2) == [])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `receipts are kept once by sequence and hash, in order`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().open()
        func receipt(_ sequence: UInt64, _ hash: UInt8, body: [UInt8]?) throws -> KeptReceipt {
            let hash = try #require(ChainHash(prefixOf: [UInt8](repeating: hash, count: 16)))
            let override = Override(
                className: "Task", key: .int(1), property: nil, reason: .laterValue)
            let outcome: Outcome =
                body == nil
                ? .overridden([override]) : .refused(Refusal(.wrongType, "It is no number."))
            return KeptReceipt(
                receipt: Receipt(
                    sequence: sequence, hash: hash, version: Version(9), ticks: .max,
                    outcome: outcome),
                body: body)
        }
        let first = try receipt(1, 1, body: nil)
        let second = try receipt(2, 1, body: [1, 2])
        let otherFirst = try receipt(1, 2, body: [])

        try store.write {
            for kept in [second, first, otherFirst, second] { try store.keep(kept) }
        }

        try store.read { () throws in
            #expect(try store.keptReceipts() == [first, otherFirst, second])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a subscription's number is never given again`(kind: ReplicaImplementation) throws {
        let store = try kind.replica().open()
        let arguments: [Value] = [.null, .int(1), .link(.string("x"))]
        let (first, second) = try store.write {
            let first = try store.addSubscription(
                name: "a", query: "Task", arguments: arguments, depth: 3)
            #expect(throws: StorageError.self) {
                try store.addSubscription(name: "a", query: "Project", arguments: [], depth: 0)
            }
            _ = try store.removeSubscription(first.number)
            let second = try store.addSubscription(
                name: "a", query: "Task", arguments: arguments, depth: 3)
            return (first, second)
        }

        #expect(first.number != second.number)
        #expect(second.state == .pending && second.arguments == arguments)
        try store.read { () throws in #expect(try store.subscriptions() == [second]) }
    }

    @Test(
        arguments: ReplicaImplementation.allCases,
        [.pending, .complete(Version(.max), at: -5), .error("no such class")]
            as [SubscriptionState])
    func `a subscription's state is as it was set`(
        kind: ReplicaImplementation, state: SubscriptionState
    ) throws {
        let store = try kind.replica().open()

        try store.write {
            let number = try store.addSubscription(
                name: "a", query: "Task", arguments: [], depth: 0
            ).number
            try store.setState(state, of: number)
            try store.setState(state, of: number + 1)
        }

        try store.read { () throws in #expect(try store.subscriptions().map(\.state) == [state]) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `what only one subscription holds is released with it`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().open()
        let numbers = try store.write {
            let numbers = try ["a", "b"].map {
                try store.addSubscription(name: $0, query: "Task", arguments: [], depth: 0).number
            }
            try store.setMember(objects[0], isRoot: true, of: numbers[0])
            try store.setMember(objects[1], isRoot: true, of: numbers[0])
            try store.setMember(objects[1], isRoot: false, of: numbers[1])
            try store.setMember(objects[2], isRoot: true, of: numbers[1])
            try store.setMember(objects[2], isRoot: true, of: numbers[1] + 1)
            return numbers
        }
        try store.read { () throws in
            #expect(try store.members(of: numbers[1]) == [objects[1], objects[2]])
            #expect(try store.roots(of: numbers[1]) == [objects[2]])
            #expect(try store.isMember(objects[0]))
        }

        try store.write {
            #expect(try store.removeSubscription(numbers[0]) == [objects[0]])
            try store.setMember(objects[1], isRoot: true, of: numbers[1])
            try store.removeMember(objects[2], of: numbers[1])
        }

        try store.read { () throws in
            #expect(try !store.isMember(objects[0]))
            #expect(try store.roots(of: numbers[1]) == [objects[1]])
            #expect(try store.members(of: numbers[1]) == [objects[1]])
            #expect(try store.subscriptions().map(\.name) == ["b"])
        }
    }
}
