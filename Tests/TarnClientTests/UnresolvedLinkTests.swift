import TarnClient
import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage
import TarnTesting
import Testing

/// A replica that has a project without its tasks 1 and 2, and whose lead, list, set and map lead
/// to them.
struct UnresolvedLinkTests {
    private var fixture: ReplicaFixture
    private var server = ModelServer()
    private let projects: Int64
    private let tasks: Int64
    private let first = Value.link(Link(key: .int(1), life: nil))

    init() throws {
        fixture = try ReplicaFixture()
        projects = try fixture.replica.subscribe(to: "Project", name: "projects").number
        tasks = try fixture.replica.subscribe(to: "Task", name: "tasks").number
        for key in 1...3 as ClosedRange<Int64> {
            server.change { _ in .create(className: "Task", key: .int(key), values: []) }
        }
        for name in ["a", "b"] {
            server.change { _ in
                .create(className: "Project", key: .string(Text(name)), values: [])
            }
        }
        let (project, task, first) = (server.name(.project("a")), server.name(.task(3)), first)
        server.change { _ in .set(project, property: "lead", value: first) }
        for key in 1...3 as ClosedRange<Int64> {
            server.change {
                .insert(
                    project, property: "tasks", slot: SlotID(transaction: $0, ordinal: 0),
                    place: .only, value: .link(Link(key: .int(key), life: nil)))
            }
        }
        server.change { _ in
            .setEntry(task, property: "near", entry: first, value: .bool(true))
        }
        server.change { _ in
            .setEntry(task, property: "roles", entry: .string("x"), value: first)
        }
        try download(tasks: [.task(3)])
    }

    private mutating func download(tasks present: Set<Ref>) throws {
        server.members[projects] = [.project("a"), .project("b")]
        server.members[tasks] = present
        try fixture.integrate(server.group())
    }

    private func object(_ ref: Ref) throws -> ObjectID { try #require(try fixture.object(ref)) }

    private func state(_ property: String, of ref: Ref) throws -> LinkState {
        let object = try object(ref)
        return try fixture.read { try $0.linkState(property, of: object) }
    }

    private func states(_ property: String, of ref: Ref) throws -> [LinkState] {
        let object = try object(ref)
        return try fixture.read { try $0.linkStates(property, of: object) }
    }

    private func keys(_ query: String) throws -> [PrimaryKey] {
        try fixture.read { reader in
            try reader.results(of: query).objects.map { try reader.key(of: $0) }
        }
    }

    @Test func `a link to what is on the server alone is neither null nor present`() throws {
        #expect(try state("lead", of: .project("a")) == .unresolved)
        #expect(try state("lead", of: .project("b")) == .null)
        let states = try states("tasks", of: .project("a"))
        #expect(states.count { $0 == .unresolved } == 2 && states.count { $0 == .present } == 1)
        #expect(try self.states("near", of: .task(3)) == [.unresolved])
        #expect(try self.states("roles", of: .task(3)) == [.unresolved])
    }

    @Test func `queries of what is here tell the three states`() throws {
        #expect(try keys("Project WHERE lead.@state == 'unresolved'") == ["a"])
        #expect(try keys("Project WHERE lead.@state == 'null'") == ["b"])
        #expect(try keys("Project WHERE lead.@state == 'present'") == [])
        #expect(try keys("Project WHERE ANY tasks.@state == 'unresolved'") == ["a"])
        #expect(try keys("Project WHERE ALL tasks.@state == 'present'") == ["b"])
        #expect(try keys("Task WHERE ANY near.@state == 'unresolved'") == [.int(3)])
        #expect(try keys("Task WHERE NONE roles.@state == 'present'") == [.int(3)])
        #expect(try keys("Project WHERE tasks.@count == 1") == ["a"])
    }

    @Test
    mutating func `a link is present once its object has come, and unresolved once it has left`()
        throws
    {
        try download(tasks: [.task(1), .task(3)])
        #expect(try state("lead", of: .project("a")) == .present)
        #expect(try keys("Project WHERE lead.@state == 'present'") == ["a"])

        try download(tasks: [])
        #expect(try state("lead", of: .project("a")) == .unresolved)
        #expect(try states("tasks", of: .project("a")) == [.unresolved, .unresolved, .unresolved])
    }

    @Test mutating func `a link to what unsent work deletes is null`() throws {
        let task = try object(.task(3))
        let project = try object(.project("b"))
        try fixture.write { try $0.set("lead", of: project, to: try $0.link(to: task)) }
        #expect(try state("lead", of: .project("b")) == .present)

        try fixture.write { try $0.delete(task) }

        #expect(try state("lead", of: .project("b")) == .null)
        #expect(try states("tasks", of: .project("a")) == [.unresolved, .unresolved])
        #expect(try keys("Project WHERE lead.@state == 'unresolved'") == ["a"])
    }

    @Test mutating func `what unsent work deletes stays deleted when it leaves the view`() throws {
        let task = try object(.task(3))
        try fixture.write { try $0.delete(task) }

        try download(tasks: [])

        #expect(try states("tasks", of: .project("a")) == [.unresolved, .unresolved])
    }

    @Test mutating func `an object that the server deletes leaves no unresolved link`() throws {
        let name = server.name(.task(1))
        server.change { _ in .delete(name) }

        try download(tasks: [.task(3)])

        #expect(try state("lead", of: .project("a")) == .null)
        #expect(try states("near", of: .task(3)) == [])
    }

    @Test mutating func `an unresolved link is kept, and can be taken away`() throws {
        let project = try object(.project("a"))
        try fixture.write { try $0.set("colour", of: project, to: .int(7)) }
        #expect(try state("lead", of: .project("a")) == .unresolved)
        let before = try fixture.pictures()[.project("a")]?.lists["tasks"]
        try fixture.write { try $0.move(from: 0, to: 2, in: "tasks", of: project) }
        let after = try fixture.pictures()[.project("a")]?.lists["tasks"]
        #expect(before?.count == 3 && after?.last == before?.first)

        try fixture.write { transaction in
            try transaction.set("lead", of: project, to: .null)
            try transaction.clear("tasks", of: project)
        }
        try server.accept(try #require(try fixture.pending.first).sealed)

        #expect(try state("lead", of: .project("a")) == .null)
        #expect(try states("tasks", of: .project("a")) == [])
    }

    @Test mutating func `a link to an object that is not here cannot be written`() throws {
        let (project, task) = (try object(.project("b")), try object(.task(3)))
        let (fixture, first) = (fixture, first)
        func refusal(_ body: (inout WriteTransaction) throws -> Void) -> ReplicaError? {
            #expect(throws: ReplicaError.self) {
                try fixture.replica.write(clockTicks: 1, body)
            }
        }
        let errors = [
            refusal { try $0.set("lead", of: project, to: first) },
            refusal { try $0.append(first, to: "tasks", of: project) },
            refusal { try $0.insert(first, at: 0, in: "tasks", of: project) },
            refusal { try $0.insert(member: first, into: "near", of: task) },
            refusal { try $0.set(first, under: "y", in: "roles", of: task) },
            refusal {
                _ = try $0.create(
                    "Task", .int(9), [InitialValue("project", .link(Link(key: "c", life: nil)))])
            },
        ]

        #expect(errors.map { $0?.code } == Array(repeating: .unresolvedLink, count: errors.count))
        #expect(errors[0]?.sentence == "Project.lead cannot lead to 1, which is not here")
        #expect(try fixture.pending.isEmpty)
    }

    @Test func `only links have a state`() throws {
        let project = try object(.project("a"))
        for property in ["colour", "name", "nothing"] {
            #expect(throws: ReplicaError.self) {
                try fixture.read { try $0.linkState(property, of: project) }
            }
        }
        #expect(throws: ReplicaError.self) {
            try fixture.read { try $0.linkState("tasks", of: project) }
        }
        #expect(throws: ReplicaError.self) {
            try fixture.read { try $0.linkStates("lead", of: project) }
        }
    }
}

extension PrimaryKey: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(Text(value)) }
}
