import TarnModel
import TarnTesting
import Testing

struct TransactionCodingTests {
    @Test(arguments: [UInt64](1...40))
    func `a transaction is read as it was written`(seed: UInt64) throws {
        var random = RandomTransaction(seed: seed)
        for _ in 0..<20 {
            let transaction = random.transaction()
            let body = TransactionEncoder.body(of: transaction)

            #expect(try TransactionDecoder.transaction(from: body) == transaction)
            #expect(throws: FormatError.self) {
                try TransactionDecoder.transaction(from: body + [0])
            }
        }
    }

    @Test(arguments: [UInt64](1...10))
    func `a body that ends early is refused`(seed: UInt64) {
        var random = RandomTransaction(seed: seed)
        let body = TransactionEncoder.body(of: random.transaction())

        for count in body.indices {
            #expect(throws: FormatError.self) {
                try TransactionDecoder.transaction(from: Array(body.prefix(count)))
            }
        }
    }

    @Test(arguments: [UInt64](1...40))
    func `bytes that somebody changed never trap, and what they say can be written`(seed: UInt64) {
        var random = RandomTransaction(seed: seed)
        for _ in 0..<60 {
            var body = TransactionEncoder.body(of: random.transaction())
            for _ in 0..<Int.random(in: 1...3, using: &random.generator) {
                let index = Int.random(in: 0..<body.count, using: &random.generator)
                switch Int.random(in: 0..<3, using: &random.generator) {
                case 0: body[index] = UInt8.random(in: 0...255, using: &random.generator)
                case 1: body.remove(at: index)
                default: body.insert(.random(in: 0...255, using: &random.generator), at: index)
                }
                if body.isEmpty { break }
            }
            guard let read = try? TransactionDecoder.transaction(from: body) else { continue }
            let again = TransactionEncoder.body(of: read)
            #expect((try? TransactionDecoder.transaction(from: again)) == read)
        }
    }

    @Test func `a sequence of zero is no transaction`() {
        let id = TransactionID(replica: ReplicaID(1), sequence: 1)
        var body = TransactionEncoder.body(of: Transaction(id: id, base: .zero, changes: []))
        // [6 items, format, 9 bytes of replica, sequence, …]
        #expect(body[11] == 1)
        body[11] = 0

        #expect(throws: FormatError.self) { try TransactionDecoder.transaction(from: body) }
    }
}
