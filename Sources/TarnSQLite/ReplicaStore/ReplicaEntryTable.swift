import TarnModel

/// The statements on the sets or maps of one property.
///
/// Their table has, beside what every store has (`ClassLayout`), what the server last said of the
/// entry:
///
///     confirmed       of sets: 1 where the element is there, else 0; of maps: 0 where the entry is
///                     not there, 1 where it is what the user sees, 2 where it is in `w`
///     w               of maps: a value; a date is ws and wn
///
/// An entry of neither layer has no row, and a value that is hidden is null. Rows whose layers
/// differ stand in an index of their own, so that going back to the confirmed layer costs what
/// differs.
struct ReplicaEntryTable {
    let property: PropertySchema
    let indices: [String]

    let all: String
    let visible: String
    let one: String
    let insert: String
    let update: String
    let delete: String

    /// What resetting takes away from before the eyes.
    let differingNumbers: String
    let dropUnconfirmed: String
    let showConfirmed: String

    let clear: String
    let linkedNumbers: String
    let holders: String
    let hiddenHolder: String

    static func columns(_ property: PropertySchema) -> [String] {
        ["confirmed INTEGER NOT NULL"]
            + confirmedColumns(property).map { "\($0) \(ClassLayout.declaration(property.type))" }
    }

    private static func confirmedColumns(_ property: PropertySchema) -> [String] {
        guard property.kind == .map else { return [] }
        return property.type == .date ? ["ws", "wn"] : ["w"]
    }

    init(_ table: String, _ property: PropertySchema) {
        self.property = property
        let isMap = property.kind == .map
        let names = ClassLayout.entryColumns(property)
        let values = ClassLayout.elementColumns(property.type)
        let confirmed = Self.confirmedColumns(property)
        let differs = isMap ? "confirmed <> 1" : "a <> confirmed"
        indices = ["CREATE INDEX \(table)_differing ON \(table) (owner) WHERE \(differs)"]

        let shown = isMap ? names + values : values
        let content = (["n", "a", "confirmed"] + shown + confirmed).joined(separator: ", ")
        let fromOwner = "FROM \(table) WHERE owner = ?1"
        let isEntry = names.enumerated().map { "\($1) = ?\($0 + 2)" }.joined(separator: " AND ")
        all = "SELECT \(content) \(fromOwner)"
        visible = "SELECT \(shown.joined(separator: ", ")) \(fromOwner) AND a = 1"
        one = "SELECT \(content) \(fromOwner) AND \(isEntry)"
        let layers = ["a", "confirmed"] + (isMap ? values + confirmed : [])
        let columns = ["owner"] + names + layers
        insert = """
            INSERT INTO \(table) (\(columns.joined(separator: ", ")))
            VALUES (\((1...columns.count).map { "?\($0)" }.joined(separator: ", ")))
            """
        let terms = layers.enumerated().map { "\($1) = ?\($0 + 2)" }.joined(separator: ", ")
        update = "UPDATE \(table) SET \(terms) WHERE n = ?1"
        delete = "DELETE FROM \(table) WHERE n = ?1"

        let going = isMap ? "v IS NOT NULL" : "confirmed = 0"
        differingNumbers = "SELECT \(values[0]) \(fromOwner) AND \(differs) AND \(going)"
        dropUnconfirmed = "DELETE \(fromOwner) AND \(differs) AND confirmed = 0"
        let back =
            isMap
            ? zip(values, confirmed).map { "\($0) = \($1), \($1) = NULL" } + ["confirmed = 1"] : []
        let changes = (["a = 1"] + back).joined(separator: ", ")
        showConfirmed = "UPDATE \(table) SET \(changes) WHERE owner = ?1 AND \(differs)"

        clear = "DELETE \(fromOwner)"
        let hidden = isMap ? " UNION SELECT \(confirmed[0]) \(fromOwner) AND \(differs)" : ""
        linkedNumbers = "SELECT \(values[0]) \(fromOwner)\(hidden)"
        holders = "SELECT DISTINCT owner FROM \(table) WHERE v = ?1 AND a = 1 ORDER BY owner"
        hiddenHolder = """
            SELECT 1 FROM \(table)
            WHERE \(differs) AND \(isMap ? "w = ?1" : "a = 0 AND v = ?1") LIMIT 1
            """
    }
}
