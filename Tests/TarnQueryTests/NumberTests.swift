import TarnModel
import TarnQuery
import TarnTesting
import Testing

struct NumberTests {
    @Test(arguments: [
        ("weight == 1.5", [1]),
        ("weight > 1", [1]),
        ("weight == 0", [2]),
        ("weight == -0.0", [2]),
        ("weight < size", [1, 2]),
        ("size > weight", [1, 2]),
        ("size == 2.0", [1]),
        ("size < 2.5", [1, 3, 4]),
        ("size == 9007199254740992.0", []),
        ("size > 9007199254740992.0", [2]),
        ("size < 9007199254740994.0 AND size > 1e10", [2]),
        ("size IN {2.0, -3, 0.5}", [1, 4]),
        ("weight IN {0, 1.5, nan}", [1, 2]),
        ("weight IN {null, 2}", [4]),
        ("weight BETWEEN {-1, 1.5}", [1, 2]),
        ("size BETWEEN {-3.5, -0.0}", [3, 4]),
        ("weight < infinity AND weight > -inf", [1, 2]),
        ("weight == $0", [1]),
        ("readings.@count > 0.5", [1, 2, 3]),
        ("readings.@count == 2.0", [1]),
        ("readings.@count > weight", [1, 2]),
        ("readings == 1", [1]),
        ("ALL readings >= 0", [1, 3, 4]),
        ("NONE readings >= 0", [2, 4]),
        ("marks == 2", [1]),
        ("marks == null", [1]),
        ("2 IN marks", [1]),
        ("marks.@count == 2", [1]),
    ])
    func `ints and doubles are compared as numbers`(predicate: String, keys: [Int64]) throws {
        #expect(try Lab.keys("Sample WHERE \(predicate)", [.double(1.5)]) == keys)
    }

    @Test(arguments: [
        ("weight == nan", []),
        ("weight != nan", [1, 2, 3, 4]),
        ("weight != weight", [3]),
        ("weight < nan OR weight >= nan OR weight <= weight AND id == 3", []),
        ("NOT weight < 1", [1, 3, 4]),
        ("weight IN {nan}", []),
        ("NOT weight IN {nan}", [1, 2, 3, 4]),
        ("weight BETWEEN {nan, infinity}", []),
        ("weight BETWEEN {-infinity, infinity}", [1, 2]),
        ("weight != null", [1, 2, 3]),
        ("readings != 3.5", [1, 2, 3]),
        ("nan IN readings", []),
    ])
    func `no comparison with NaN holds but that it differs`(
        predicate: String, keys: [Int64]
    ) throws {
        #expect(try Lab.keys("Sample WHERE \(predicate)") == keys)
    }

    @Test func `sorting puts null first, then NaN, and takes both zeros for one`() throws {
        #expect(try Lab.keys("Sample SORT(weight)") == [4, 3, 2, 1])
        #expect(try Lab.keys("Sample SORT(weight DESC)") == [1, 2, 3, 4])
        var store = Lab.store
        store.rows[Lab.sample(1)]?.cells[0].value = .double(0.0)
        let query = try Query.parse("Sample WHERE weight == 0 SORT(weight DESC, size DESC)")
            .bind(to: Lab.schema, user: "")
        #expect(try query.evaluate(in: store).map(\.number) == [2, 1])
    }

    @Test(arguments: [UInt64](1...20))
    func `an int and a double are in the order of their exact values`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let int =
                Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<64, using: &random)
            let near = Double(int)
            let double =
                [
                    near, near.nextUp, near.nextDown, near + 0.5, -near,
                    Double(bitPattern: random.next()),
                ].randomElement(using: &random) ?? near

            let order = Value.comparison(.int(int), .double(double))

            // Float80 and its like would hide on some machines what they hold on others.
            let expected: Int? =
                double.isNaN
                ? nil
                : double >= 0x1p63
                    ? -1
                    : double < -0x1p63
                        ? 1
                        : exact(int, double)
            #expect(order == expected, "\(int) and \(double)")
            #expect(Value.comparison(.double(double), .int(int)) == expected.map { -$0 })
            #expect(Value.areEqual(.int(int), .double(double)) == (expected == 0))
            let isSame = Value.int(int).representative == Value.double(double).representative
            #expect(isSame == (expected == 0), "\(int) and \(double)")
        }
    }

    /// For doubles that are in the range of 64 bits.
    private func exact(_ int: Int64, _ double: Double) -> Int {
        let whole = Int64(double)
        if int != whole { return int < whole ? -1 : 1 }
        let fraction = double.truncatingRemainder(dividingBy: 1)
        return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
    }

    @Test(arguments: [UInt64](1...20))
    func `the order of sorting is total and agrees with the comparisons`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let values: [Value] = (0..<30).map { _ in
            [
                .null, .double(.nan), .double(Double(bitPattern: random.next())), .double(0.0),
                .double(-0.0), .double(Double(Int64.random(in: -2...2, using: &random))),
                .double(Real(bits: 0xFFF8_0000_0000_0001)), .double(.infinity),
            ].randomElement(using: &random) ?? .null
        }

        for left in values {
            for right in values {
                let order = Value.order(left, right)
                #expect(Value.order(right, left) == -order)
                if let comparison = Value.comparison(left, right) { #expect(order == comparison) }
                for third in values where order <= 0 && Value.order(right, third) <= 0 {
                    #expect(Value.order(left, third) <= 0)
                }
            }
        }
    }

    @Test(arguments: [
        ("seal == B64\"AP8=\"", [1]),
        ("seal == B64''", [2]),
        ("seal != b64'Bw=='", [1, 2, 3]),
        ("seal IN {B64'Bw==', null}", [3, 4]),
        ("seal == null", [3]),
        ("seal == $0", [4]),
    ])
    func `data is equal to data`(predicate: String, keys: [Int64]) throws {
        #expect(try Lab.keys("Sample WHERE \(predicate)", [.data([7])]) == keys)
    }

    @Test(arguments: [
        ("tags == 'red'", [1, 3]),
        ("ALL tags == 'red'", [2, 3, 4]),
        ("NONE tags BEGINSWITH 'b'", [2, 3, 4]),
        ("'blue' IN tags", [1]),
        ("tags.@count == 2", [1]),
        ("peers.size > 1000", [1]),
        ("roles.weight == 0.0", [1]),
        ("ANY peers.id == 4 OR ANY roles.id == 4", [4]),
        ("path.peers.@count == 1", [4]),
        ("peers == $0", [1]),
    ])
    func `a path goes through sets and maps as through lists`(
        predicate: String, keys: [Int64]
    ) throws {
        let second = Value.link(Link(key: .int(2), life: nil))
        let found = try Lab.keys("Sample WHERE \(predicate)", [second])
        #expect(found == keys)
    }

    @Test(arguments: [
        ("seal < B64''", "seal is data, which has no order for < (at character 14)"),
        ("seal BETWEEN {B64'', B64''}", nil),
        ("seal CONTAINS B64''", nil),
        ("seal == 'x'", "seal is data and cannot be compared with a string (at character 22)"),
        ("seal == size", nil),
        (
            "weight == '1'",
            "weight is a double and cannot be compared with a string (at character 24)"
        ),
        ("weight ==[c] 1.0", nil),
        ("weight LIKE '1*'", nil),
        ("tags == 1.0", nil),
        ("id == true", nil),
        ("id == 2020-01-01", nil),
        (
            "ANY weight == 1",
            "ANY needs a collection, and weight leads through none (at character 18)"
        ),
        ("weight.@count == 1", nil),
        ("tags == roles.@count", nil),
    ])
    func `what numbers and data cannot be asked is refused`(
        predicate: String, message: String?
    ) throws {
        let query = try Query.parse("Sample WHERE \(predicate)")
        do throws(QueryError) {
            _ = try query.bind(to: Lab.schema, user: "")
            Issue.record("\(predicate) was bound")
        } catch {
            if let message { #expect(error.description == message) }
        }
        #expect(throws: QueryError.self) {
            try Query.parse("Sample SORT(seal)").bind(to: Lab.schema, user: "")
        }
    }

    @Test func `doubles give no equality terms, which go by what is stored`() throws {
        func terms(_ predicate: String) throws -> [Value] {
            try Query.parse("Sample WHERE \(predicate)").bind(to: Lab.schema, user: "")
                .equalityTerms.map(\.value)
        }

        #expect(try terms("weight == 0.0 AND weight IN {1} AND size IN {2.0}") == [.int(2)])
        #expect(try terms("seal == B64'Bw=='") == [.data([7])])
    }
}
