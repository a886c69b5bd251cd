import TarnModel

/// The statements on the lists of one property.
///
/// Their table has, beside what every store has (`ClassLayout`),
///
///     confirmed       1 where the slot is live in what the server last said
///     slotReplica, slotSequence, slotOrdinal
///                     the slot's identity, the replica by its number in `replica`
///     elementReplica, elementSequence, elementOrdinal
///                     the element's, where it is not the slot's own: where it has been moved
///
/// A slot of neither layer has no row. Rows whose two flags differ stand in an index of their own,
/// so that going back to the confirmed layer costs what differs.
struct ReplicaListTable {
    let type: ValueType
    /// What an identified slot needs to be found by.
    let indices: [String]

    let all: String
    let leading: String
    let one: String
    let visibleElement: String
    let predecessor: String
    let last: String
    let labelOfOne: String
    let labelAfter: String
    let firstLabel: String
    let lastLabel: String

    let insert: String
    let setFlags: String
    let delete: String
    let setLabel: String
    let nearBefore: String
    let nearAfter: String

    let unconfirmedNumbers: String
    let dropUnconfirmed: String
    let showConfirmed: String
    let clear: String

    let visibleValues: String
    let linkedNumbers: String
    let holders: String
    let hiddenHolder: String

    static let columns = [
        "confirmed INTEGER NOT NULL", "slotReplica INTEGER NOT NULL",
        "slotSequence INTEGER NOT NULL", "slotOrdinal INTEGER NOT NULL", "elementReplica INTEGER",
        "elementSequence INTEGER", "elementOrdinal INTEGER",
    ]

    init(_ table: String, _ type: ValueType) {
        self.type = type
        let values = ClassLayout.elementColumns(type)
        let slot = "slotReplica, slotSequence, slotOrdinal"
        let element = "elementReplica, elementSequence, elementOrdinal"
        let content = (["n", slot, element, "confirmed", "a"] + values).joined(separator: ", ")
        let isSlot = "owner = ?1 AND slotSequence = ?2 AND slotOrdinal = ?3 AND slotReplica = ?4"
        let isElement =
            "owner = ?1 AND elementSequence = ?2 AND elementOrdinal = ?3 AND elementReplica = ?4"
        indices = [
            """
            CREATE UNIQUE INDEX \(table)_slot
            ON \(table) (owner, slotSequence, slotOrdinal, slotReplica)
            """,
            """
            CREATE INDEX \(table)_moved ON \(table)
            (owner, elementSequence, elementOrdinal, elementReplica)
            WHERE elementSequence IS NOT NULL
            """,
            "CREATE INDEX \(table)_differing ON \(table) (owner) WHERE a <> confirmed",
        ]
        all = "SELECT \(content) FROM \(table) WHERE owner = ?1 ORDER BY label"
        leading = """
            SELECT \(content) FROM \(table)
            WHERE owner = ?2 AND +v = ?1 AND a = 1 ORDER BY label
            """
        one = "SELECT \(content) FROM \(table) WHERE \(isSlot)"
        visibleElement = """
            SELECT \(content), label FROM \(table)
            WHERE \(isSlot) AND elementSequence IS NULL AND a = 1
            UNION ALL SELECT \(content), label FROM \(table) WHERE \(isElement) AND a = 1
            ORDER BY label LIMIT 1
            """
        let fromOwner = "FROM \(table) WHERE owner = ?1"
        predecessor = """
            SELECT \(slot) \(fromOwner) AND label < ?2 ORDER BY label DESC LIMIT 1
            """
        last = "SELECT \(slot) \(fromOwner) ORDER BY label DESC LIMIT 1"
        labelOfOne = "SELECT label FROM \(table) WHERE \(isSlot)"
        labelAfter = "SELECT label \(fromOwner) AND label > ?2 ORDER BY label LIMIT 1"
        firstLabel = "SELECT label \(fromOwner) ORDER BY label LIMIT 1"
        lastLabel = "SELECT label \(fromOwner) ORDER BY label DESC LIMIT 1"

        let named = (["owner", "label", "confirmed", "a", slot, element] + values)
        let places = (1...(10 + values.count)).map { "?\($0)" }
        insert = """
            INSERT INTO \(table) (\(named.joined(separator: ", ")))
            VALUES (\(places.joined(separator: ", ")))
            """
        setFlags = "UPDATE \(table) SET confirmed = ?2, a = ?3 WHERE n = ?1"
        delete = "DELETE FROM \(table) WHERE n = ?1"
        setLabel = "UPDATE \(table) SET label = ?2 WHERE n = ?1"
        nearBefore = "SELECT n, label \(fromOwner) AND label <= ?2 ORDER BY label DESC LIMIT ?3"
        nearAfter = "SELECT n, label \(fromOwner) AND label > ?2 ORDER BY label LIMIT ?3"

        let differs = "owner = ?1 AND a <> confirmed"
        unconfirmedNumbers = "SELECT \(values[0]) FROM \(table) WHERE \(differs) AND confirmed = 0"
        dropUnconfirmed = "DELETE FROM \(table) WHERE \(differs) AND confirmed = 0"
        showConfirmed = "UPDATE \(table) SET a = 1 WHERE \(differs)"
        clear = "DELETE FROM \(table) WHERE owner = ?1"

        let shown = values.joined(separator: ", ")
        visibleValues = "SELECT \(shown) \(fromOwner) AND a = 1 ORDER BY label"
        linkedNumbers = "SELECT DISTINCT \(values[0]) \(fromOwner)"
        holders = "SELECT DISTINCT owner FROM \(table) WHERE v = ?1 AND a = 1 ORDER BY owner"
        hiddenHolder = """
            SELECT 1 FROM \(table)
            WHERE a <> confirmed AND a = 0 AND v = ?1 LIMIT 1
            """
    }
}
