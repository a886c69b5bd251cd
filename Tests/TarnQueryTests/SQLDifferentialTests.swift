import TarnModel
import TarnQuery
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// The same queries over the same objects, in memory and in SQL.
struct SQLDifferentialTests {
    @Test(arguments: [UInt64](1...40))
    func `memory and SQL find the same objects in the same order`(seed: UInt64) throws {
        var world = RandomWorld(seed: seed)
        let folder = TemporaryFolder()
        let connection = try world.written(to: folder.file("world"))
        var (boundCount, foundCount) = (0, 0)

        for _ in 0..<100 {
            let random = RandomQuery(in: &world)
            let query = try Query.parse(random.text)
            let schema = world.store.schema
            let arguments = random.arguments
            guard let bound = try? query.bind(to: schema, user: "a", arguments: arguments) else {
                continue
            }
            boundCount += 1

            let expected = try bound.evaluate(in: world.store).map(\.number)
            let sql = SQLQuery(bound)
            let found = try connection.statement(sql.sql).all(sql.values) {
                (row) throws(StorageError) in try row.int(0)
            }

            foundCount += found.count
            #expect(found == expected, "\(random.text) \(arguments)\n\(sql.sql)\n\(sql.values)")
        }

        #expect(boundCount > 60)
        #expect(foundCount > 50)
    }

    @Test(arguments: [UInt64](1...20))
    func `a changed object concerns no roots but the affected ones`(seed: UInt64) throws {
        var world = RandomWorld(seed: seed)
        // Roots that another object's change concerned.
        var concernedCount = 0

        for _ in 0..<120 {
            let random = RandomQuery(in: &world)
            let query = try Query.parse(random.text)
            let (schema, arguments) = (world.store.schema, random.arguments)
            guard let bound = try? query.bind(to: schema, user: "a", arguments: arguments),
                !bound.usesOnlyOwnProperties
            else { continue }
            var before = try places(bound, world.store)
            for _ in 0..<8 {
                let changed = world.changeSomething(preferring: bound.paths.flatMap(\.steps))

                let after = try places(bound, world.store)
                let affected = try bound.affectedRoots(by: changed, in: world.store)
                let concerned = Set(before.keys).union(after.keys).filter {
                    before[$0] != after[$0]
                }
                concernedCount += concerned.subtracting([changed]).count
                #expect(concerned.isSubset(of: affected), "\(random.text), \(changed)")
                before = after
            }
        }

        #expect(concernedCount > 3)
    }

    /// The place of each root that matches.
    private func places(
        _ query: BoundQuery, _ store: MemoryStore
    ) throws -> [ObjectID: SortKey] {
        var places: [ObjectID: SortKey] = [:]
        for object in try store.objects(in: query.classNumber)
        where try query.matches(object, in: store) {
            places[object] = try query.sortKey(of: object, in: store)
        }
        return places
    }

    @Test func `SQLite takes as many terms and values as the limits allow`() throws {
        let folder = TemporaryFolder()
        let world = RandomWorld(seed: 1)
        let connection = try world.written(to: folder.file("world"))
        let terms = [String](repeating: "int0 == 1", count: QueryLimits.termsMax)
        let values = (0..<QueryLimits.listedValuesMax).map { String($0 - 2) }
        let dates = (0..<700 as Range<Int64>).map { "\(Timestamp(milliseconds: $0 * 86_400_000))" }
        let nested = QueryLimits.nestingMax / 2
        let texts = [
            terms.joined(separator: " AND "),
            terms.joined(separator: " OR "),
            "int0 IN {\(values.joined(separator: ","))}",
            "date0 IN {\(dates.joined(separator: ","))}",
            String(repeating: "NOT (int0 == 1 OR ", count: nested) + "int0 == 2"
                + String(repeating: ")", count: nested),
        ]

        for text in texts {
            let query = try Query.parse("Alpha WHERE \(text)")
                .bind(to: world.store.schema, user: "")
            let sql = SQLQuery(query)
            let found = try connection.statement(sql.sql).all(sql.values) {
                (row) throws(StorageError) in try row.int(0)
            }
            let expected = try query.evaluate(in: world.store).map(\.number)
            #expect(found == expected)
        }
    }
}

extension RandomWorld {
    /// Gives an object another value, another list or another life, and answers which.
    mutating func changeSomething(preferring steps: [PropertyStep]) -> ObjectID {
        let cells = steps.filter { !$0.isPrimaryKey }
        let step = chance(80) ? cells.randomElement(using: &random) : nil
        let objects = store.rows.keys.sorted().filter { object in
            step.map { $0.classNumber == object.classNumber } ?? true
        }
        let object = objects[Int.random(in: 0..<objects.count, using: &random)]
        guard chance(75) else {
            store.rows[object]?.isAlive.toggle()
            return object
        }
        let properties = store.schema.classes[object.classNumber].properties
        let number = step?.property ?? Int.random(in: 0..<properties.count, using: &random)
        let property = properties[number]
        if property.isCell {
            let cell = cell(property)
            store.rows[object]?.cells[number] = cell
        } else {
            let elements = elements(property)
            store.rows[object]?.lists[number] = elements
        }
        return object
    }

    /// The objects in a file, with slots and elements that are not alive between them.
    func written(to path: String) throws -> SQLiteConnection {
        let layouts = store.schema.classes.enumerated().map {
            ClassLayout(number: $0, schema: $1)
        }
        let tables = layouts.flatMap { $0.creation(rowColumns: [], slotColumns: []) }
        let connection = try SQLiteConnection(
            path: path,
            format: SQLiteFormat(name: "the world", applicationID: 7, version: 1, tables: tables),
            synchronous: .normal)
        try connection.begin(writing: true)
        for (object, row) in store.rows {
            let layout = layouts[object.classNumber]
            var columns = ["n", "k", "a"]
            var values: [SQLiteValue] = [.int(object.number), row.key.column, .flag(row.isAlive)]
            for (number, property) in layout.cells {
                columns += ClassLayout.columns(number, property.type)
                values += try row.cells[number].columns(property.type)
            }
            try connection.insert(into: layout.table, columns, values)
            for (number, property) in layout.entries {
                let cells = row.lists[number, default: []]
                for (place, cell) in cells.enumerated() {
                    let isMap = property.kind == .map
                    try connection.insert(
                        into: layout.listTable(number),
                        ["owner", "a"] + (isMap ? ["k"] : [])
                            + ClassLayout.elementColumns(property.type),
                        [.int(object.number), .flag(true)] + (isMap ? [.text("k\(place)")] : [])
                            + (try cell.columns(property.type)))
                    guard isMap else { continue }
                    try connection.insert(
                        into: layout.listTable(number),
                        ["owner", "a", "k"] + ClassLayout.elementColumns(property.type),
                        [.int(object.number), .flag(false), .text("gone\(place)")]
                            + (try cell.columns(property.type)))
                }
            }
            for (number, property) in layout.lists {
                let cells = row.lists[number, default: []]
                for label in cells.indices {
                    for isAlive in [true, false] {
                        try connection.insert(
                            into: layout.listTable(number),
                            ["owner", "label", "a"] + ClassLayout.elementColumns(property.type),
                            [.int(object.number), .int(Int64(label)), .flag(isAlive)]
                                + (try cells[isAlive ? label : 0].columns(property.type)))
                    }
                }
            }
        }
        try connection.commit()
        return connection
    }
}

extension MemoryStore.Cell {
    fileprivate func columns(_ type: ValueType) throws -> [SQLiteValue] {
        if let target { return [.int(target.number)] }
        return try value.columns(type) { _ in 0 }
    }
}

extension SQLiteConnection {
    fileprivate func insert(
        into table: String, _ columns: [String], _ values: [SQLiteValue]
    ) throws {
        let parameters = values.map { _ in "?" }.joined(separator: ", ")
        let names = columns.joined(separator: ", ")
        try run("INSERT INTO \(table) (\(names)) VALUES (\(parameters))", values: values)
    }
}
