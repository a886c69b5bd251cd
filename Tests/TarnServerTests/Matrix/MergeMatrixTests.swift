import Glibc
import TarnModel
import Testing

/// The matrix of docs/merge-rules.md, row by row, on the server's engine: two replicas write
/// without knowing of each other, or one after the other. What stands, what the receipt says and
/// what both replicas hold is as the page has it.
struct MergeMatrixTests {
    /// Two replicas that have all that was there before, and what each of them then wrote.
    private struct Scene {
        let stage = Stage()
        let alice: Client
        let bob: Client

        init(_ row: MergeRow) {
            alice = Client(stage, 1)
            bob = Client(stage, 2, user: "bob")
            for client in [alice, bob] {
                client.resume()
                client.subscribe(1, "Thing")
                client.subscribe(2, "Part")
            }
            let beginning: [Change] = [
                .addClass(Matrix.partClass), .addClass(Matrix.thingClass), create("x"), create("y"),
            ]
            let id = alice.write(beginning + row.before)
            alice.upload()
            stage.settle()
            #expect(alice.outcome(id) == .accepted, "\(row.testDescription)")
        }

        /// What each wrote is sent in that order.
        func commit(_ clients: Client...) {
            for client in clients {
                client.upload()
                stage.settle()
                stage.now += 1
            }
        }

        func sketch() throws -> String { try RealmSketch(store: stage.store).line() }
    }

    @Test(arguments: Matrix.rows)
    func `what comes meets what is there as the page says`(row: MergeRow) throws {
        switch row.coming {
        case .seen:
            let scene = Scene(row)
            let first = scene.alice.write(row.first)
            scene.commit(scene.alice)
            let second = scene.bob.write(row.second)
            scene.commit(scene.bob)
            try check(scene, row, first, second)
        case .later: try checkBothOrders(row, isLater: true)
        case .earlier: try checkBothOrders(row, isLater: false)
        case .either:
            try checkBothOrders(row, isLater: true)
            try checkBothOrders(row, isLater: false)
        }
    }

    /// - Parameter isLater: whether what comes is written after what is there.
    private func checkBothOrders(_ row: MergeRow, isLater: Bool) throws {
        let scene = Scene(row)
        let (first, second) = write(row, in: scene, isLater)
        scene.commit(scene.alice, scene.bob)
        try check(scene, row, first, second)

        let other = Scene(row)
        _ = write(row, in: other, isLater)
        other.commit(other.bob, other.alice)
        let stands = try other.sketch()
        #expect((stands == row.stands) == (row.order == .same), "the other way round: \(stands)")
        try expectAgreement(in: other)
    }

    private func write(
        _ row: MergeRow, in scene: Scene, _ isLater: Bool
    ) -> (first: TransactionID, second: TransactionID) {
        var second: TransactionID?
        if !isLater { second = scene.bob.write(row.second) }
        scene.stage.now += 1000
        let first = scene.alice.write(row.first)
        scene.stage.now += 1000
        let id = second ?? scene.bob.write(row.second)
        scene.stage.now += 1000
        return (first, id)
    }

    private func check(
        _ scene: Scene, _ row: MergeRow, _ first: TransactionID, _ second: TransactionID
    ) throws {
        #expect(first == Matrix.there && second == Matrix.comes)
        #expect(scene.alice.outcome(first) == .accepted)
        #expect(try scene.sketch() == row.stands)
        let outcome = try #require(scene.bob.outcome(second))
        #expect(Self.receipt(outcome) == row.receipt)
        if case .overridden(let overrides) = outcome {
            for override in overrides where override.reason != .ownerDeleted {
                #expect(override.winner?.user == row.winner)
            }
        }
        try expectAgreement(in: scene)
    }

    private func expectAgreement(in scene: Scene) throws {
        try scene.alice.expectAgreement()
        try scene.bob.expectAgreement()
    }

    private static func receipt(_ outcome: Outcome) -> String {
        switch outcome {
        case .accepted: "accepted"
        case .overridden(let overrides):
            overrides.map { "\($0.reason)" }.joined(separator: ", ")
        case .refused(let refusal): "\(refusal.code)"
        case .parked: "parked"
        }
    }

    @Test func `the page has just these rows`() throws {
        let written = try Page.rows()
        let held = Matrix.rows.map(\.cells)
        for (row, cells) in zip(written, held) {
            #expect(row == cells)
        }
        #expect(written.count == held.count)
    }

    /// The tables of docs/merge-rules.md that have the matrix's head.
    private enum Page {
        static let head = "| there | comes | stamp | what stands | receipt | other order |"

        /// All cells but those of what stands.
        static func rows() throws -> [[String]] {
            let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            guard let file = fopen("\(root)/docs/merge-rules.md", "r") else {
                Issue.record("there is no docs/merge-rules.md")
                return []
            }
            defer { fclose(file) }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
                bytes += buffer[..<count]
            }
            var rows: [[String]] = []
            var isInside = false
            for line in String(decoding: bytes, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false)
            {
                guard line.hasPrefix("|") else {
                    isInside = false
                    continue
                }
                if line == head {
                    isInside = true
                } else if isInside, !line.hasPrefix("| ---") {
                    let cells = line.split(separator: "|").map(trimmed)
                    rows.append(Array(cells[..<3] + cells[4...]))
                }
            }
            return rows
        }

        private static func trimmed(_ cell: Substring) -> String {
            var cell = cell
            while cell.first == " " { cell.removeFirst() }
            while cell.last == " " { cell.removeLast() }
            return String(cell)
        }
    }
}
