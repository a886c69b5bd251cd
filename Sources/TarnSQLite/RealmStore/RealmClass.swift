import TarnModel

/// A class, with what its statements are made of: their texts are made once. It never changes, and
/// is handed about for each row: an object, since a copy of all this would cost more than the row.
final class RealmClass {
    let layout: ClassLayout
    let table: String
    private let numbers: [String: Int]
    /// Cells that take little room whatever they hold: they are read with the row.
    let shortCells: [(number: Int, type: ValueType)]
    /// What reads the row of a living object: number, key, life, marks and short cells.
    let rowByKey: String
    let rowByNumber: String
    /// What adds a row: its key, life, marks and all cells.
    let insertion: String
    /// What writes a cell and the marks, by property; empty for a collection.
    let cellUpdates: [String]

    init(number: Int, schema: ClassSchema) {
        layout = ClassLayout(number: number, schema: schema)
        let table = layout.table
        self.table = table
        numbers = Dictionary(
            schema.properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { $1 })
        shortCells = layout.cells.filter { $0.property.type.isShort }.map {
            ($0.number, $0.property.type)
        }
        let columns =
            ["n", "k", "life_replica", "life_sequence", "created", "known", "marks"]
            + shortCells.flatMap { ClassLayout.columns($0.number, $0.type) }
        let select = "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE a = 1"
        rowByKey = "\(select) AND k = ?"
        rowByNumber = "\(select) AND n = ?"
        let names =
            ["k", "a", "life_replica", "life_sequence", "created", "known", "marks"]
            + layout.cellColumns
        let places = names.map { _ in "?" }.joined(separator: ", ")
        insertion = "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places))"
        cellUpdates = schema.properties.enumerated().map { number, property in
            guard property.isCell else { return "" }
            let terms = ClassLayout.columns(number, property.type).map { "\($0) = ?" }
            return "UPDATE \(table) SET marks = ?, \(terms.joined(separator: ", ")) WHERE n = ?"
        }
    }

    var number: Int { layout.number }
    var schema: ClassSchema { layout.schema }

    func number(of property: String) -> Int? { numbers[property] }
}

extension ValueType {
    /// Whether no value of it is long. A link is short, but it is read from its target's row.
    fileprivate var isShort: Bool {
        switch self {
        case .bool, .int, .double, .date, .uuid: true
        case .string, .data, .link: false
        }
    }
}
