import TarnClient
import TarnModel
import TarnTesting
import Testing

/// What dies with what, and values that stand once, as their writer sees them before any server
/// has.
struct OwnershipTests {
    private var fixture: ReplicaFixture

    private static let address = ClassSchema(
        "Address", primaryKey: PropertySchema("id", .int),
        properties: [PropertySchema("city", .string)], isEmbedded: true)
    private static let note = ClassSchema(
        "Note", primaryKey: PropertySchema("id", .int),
        properties: [
            PropertySchema("text", .string), .list("replies", of: .link("Note"), isOwning: true),
        ])
    private static let person = ClassSchema(
        "Person", primaryKey: PropertySchema("id", .int),
        properties: [
            PropertySchema("home", .link("Address")),
            .list("homes", of: .link("Address")),
            .map("byName", of: .link("Address")),
            .list("notes", of: .link("Note"), isOwning: true),
            .set("pinned", of: .link("Note"), isOwning: true),
            PropertySchema("mail", .string, isOptional: true, isUnique: true),
        ])

    init() throws {
        fixture = try ReplicaFixture(schema: false)
        try fixture.write { transaction in
            for schema in [Self.address, Self.note, Self.person] {
                try transaction.addClass(schema)
            }
        }
    }

    private mutating func person(_ key: Int64 = 1) throws -> ObjectID {
        try fixture.write { try $0.create("Person", .int(key), []) }
    }

    private func exists(_ className: String, _ key: Int64) throws -> Bool {
        try fixture.read { try $0.find(className, .int(key)) } != nil
    }

    private func code(_ body: () throws -> Void) -> ReplicaError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? ReplicaError)?.code }
    }

    // MARK: Parts

    @Test mutating func `a part needs its place in the write that makes it`() throws {
        let person = try person()
        #expect(
            code { try fixture.write { _ = try $0.create("Address", .int(1), []) } } == .heldTwice)
        try fixture.write { transaction in
            let home = try transaction.create("Address", .int(1), [])
            try transaction.set("home", of: person, to: try transaction.link(to: home))
        }
        #expect(try exists("Address", 1))
    }

    @Test mutating func `a part that is replaced or taken out dies`() throws {
        let person = try person()
        try fixture.write { transaction in
            for key in [1, 2, 3] as [Int64] {
                let home = try transaction.create("Address", .int(key), [])
                let link = try transaction.link(to: home)
                switch key {
                case 1: try transaction.set("home", of: person, to: link)
                case 2: try transaction.append(link, to: "homes", of: person)
                default: try transaction.set(link, under: "work", in: "byName", of: person)
                }
            }
        }
        try fixture.write { try $0.set("home", of: person, to: .null) }
        #expect(try !exists("Address", 1))
        try fixture.write { try $0.remove(at: 0, in: "homes", of: person) }
        #expect(try !exists("Address", 2))
        try fixture.write { try $0.remove(key: "work", from: "byName", of: person) }
        #expect(try !exists("Address", 3))
    }

    @Test mutating func `a part may move to another place, and have no second one`() throws {
        let (one, two) = (try person(1), try person(2))
        let home = try fixture.write { transaction in
            let home = try transaction.create("Address", .int(1), [])
            try transaction.set("home", of: one, to: try transaction.link(to: home))
            return home
        }
        #expect(
            code {
                try fixture.write {
                    try $0.append(try $0.link(to: home), to: "homes", of: two)
                }
            } == .heldTwice)
        try fixture.write { transaction in
            try transaction.append(try transaction.link(to: home), to: "homes", of: two)
            try transaction.set("home", of: one, to: .null)
        }
        #expect(try exists("Address", 1))
        try fixture.write { try $0.delete(two) }
        #expect(try !exists("Address", 1))
    }

    // MARK: Owners

    @Test mutating func `what is owned dies with its last owner, and what that owns`() throws {
        let (one, two) = (try person(1), try person(2))
        try fixture.write { transaction in
            let notes = try (1...3).map { key in
                try transaction.create("Note", .int(Int64(key)), [])
            }
            try transaction.append(try transaction.link(to: notes[0]), to: "notes", of: one)
            try transaction.append(try transaction.link(to: notes[1]), to: "replies", of: notes[0])
            try transaction.append(try transaction.link(to: notes[2]), to: "notes", of: one)
            try transaction.insert(
                member: try transaction.link(to: notes[2]), into: "pinned", of: two)
        }
        try fixture.write { try $0.delete(one) }
        #expect(try !exists("Note", 1))
        #expect(try !exists("Note", 2))
        #expect(try exists("Note", 3))
        try fixture.write { try $0.delete(two) }
        #expect(try !exists("Note", 3))
    }

    @Test mutating func `what is let go by an owner who stays lives on`() throws {
        let person = try person()
        try fixture.write { transaction in
            let note = try transaction.create("Note", .int(1), [])
            try transaction.append(try transaction.link(to: note), to: "notes", of: person)
        }
        try fixture.write { try $0.clear("notes", of: person) }
        #expect(try exists("Note", 1))
        try fixture.write { try $0.delete(person) }
        #expect(try exists("Note", 1))
    }

    @Test mutating func `what is put elsewhere in the same write is not lost with its old owner`()
        throws
    {
        let (one, two) = (try person(1), try person(2))
        let note = try fixture.write { transaction in
            let note = try transaction.create("Note", .int(1), [])
            try transaction.append(try transaction.link(to: note), to: "notes", of: one)
            return note
        }
        try fixture.write { transaction in
            try transaction.delete(one)
            try transaction.append(try transaction.link(to: note), to: "notes", of: two)
        }
        #expect(try exists("Note", 1))
    }

    @Test mutating func `an undo brings back what died with its owner`() throws {
        let person = try person()
        try fixture.write { transaction in
            let note = try transaction.create("Note", .int(1), [])
            let home = try transaction.create("Address", .int(1), [])
            try transaction.append(try transaction.link(to: note), to: "notes", of: person)
            try transaction.set("home", of: person, to: try transaction.link(to: home))
        }
        try fixture.write { try $0.delete(person) }
        #expect(try !exists("Note", 1))

        let report = try fixture.write { try $0.undo() }

        #expect(report.kept == [])
        #expect(try exists("Person", 1) && exists("Note", 1) && exists("Address", 1))
        let restored = try #require(try fixture.read { try $0.find("Person", .int(1)) })
        #expect(try fixture.read { try $0.elements("notes", of: restored) }.count == 1)
        #expect(try fixture.read { try $0.target("home", of: restored) } != nil)
    }

    // MARK: Values that stand once

    @Test mutating func `a unique value is refused a second time, and null is not`() throws {
        let (one, two) = (try person(1), try person(2))
        try fixture.write { try $0.set("mail", of: one, to: .string("a@b")) }
        #expect(
            code { try fixture.write { try $0.set("mail", of: two, to: .string("a@b")) } }
                == .notUnique)
        #expect(
            code {
                try fixture.write {
                    _ = try $0.create(
                        "Person", .int(3), [InitialValue("mail", .string("a@b"))])
                }
            } == .notUnique)
        // Two may change places in one write.
        try fixture.write { transaction in
            try transaction.set("mail", of: two, to: .string("a@b"))
            try transaction.set("mail", of: one, to: .null)
        }
        #expect(try fixture.read { try $0.value("mail", of: two) } == .string("a@b"))
    }
}
