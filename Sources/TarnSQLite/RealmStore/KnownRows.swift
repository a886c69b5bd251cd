import TarnModel

/// A living object's row, as far as it was read: its values may lack some.
///
/// An object, so that whoever changes it changes what is known.
final class KnownRow {
    let number: Int64
    let key: PrimaryKey
    let life: TransactionID
    var marks: RowMarks
    /// By property; nil for what was not read, or is too long to be kept.
    private(set) var values: [Value?]

    /// - Parameter values: by property, collections included.
    init(number: Int64, key: PrimaryKey, life: TransactionID, marks: RowMarks, values: [Value?]) {
        self.number = number
        self.key = key
        self.life = life
        self.marks = marks
        self.values = values
    }

    /// Notes what a cell holds. Links are known by their key alone, as they are read.
    func note(_ value: Value, of property: Int) {
        switch value {
        case .string(let text) where text.string.utf8.count > Self.bytesMax:
            values[property] = nil
        case .data(let bytes) where bytes.count > Self.bytesMax: values[property] = nil
        case .link(let link): values[property] = .link(Link(key: link.key, life: nil))
        default: values[property] = value
        }
    }

    /// Of a string or of data that is kept: a few thousand rows are to be small.
    private static let bytesMax = 256
}

/// What a store has read and written of its rows in the open transaction. The judge, the effects
/// and the views ask for the same objects one after the other; here each is read once.
///
/// It holds because nobody else writes to the file, and because all writes to living rows go
/// through it. Whatever takes back writes forgets it all.
struct KnownRows {
    /// More are not held at once: all are forgotten rather than the memory grown.
    private static let rowsMax = 1 << 14

    private struct KnownClass {
        var byNumber: [Int64: KnownRow] = [:]
        /// Nil for a key that no living object has.
        var byKey: [PrimaryKey: KnownRow?] = [:]
    }

    private var classes: [KnownClass] = []
    private var count = 0
    /// What was asked for last is asked for again, a few times.
    private var last: (classNumber: Int, row: KnownRow)?
    /// Stamps of versions.
    var stamps: [Version: Stamp] = [:]

    mutating func row(_ number: Int64, in classNumber: Int) -> KnownRow? {
        if let last, last.row.number == number, last.classNumber == classNumber { return last.row }
        guard classes.indices.contains(classNumber),
            let row = classes[classNumber].byNumber[number]
        else { return nil }
        last = (classNumber, row)
        return row
    }

    /// What is known of a key: nothing (nil), that no living object has it, or which one.
    mutating func row(of key: PrimaryKey, in classNumber: Int) -> KnownRow?? {
        if let last, last.classNumber == classNumber, last.row.key == key { return last.row }
        guard classes.indices.contains(classNumber),
            let found = classes[classNumber].byKey[key]
        else { return nil }
        if let found { last = (classNumber, found) }
        return .some(found)
    }

    mutating func note(_ row: KnownRow, in classNumber: Int) {
        makeRoom(for: classNumber)
        classes[classNumber].byNumber[row.number] = row
        classes[classNumber].byKey[row.key] = .some(row)
        last = (classNumber, row)
    }

    mutating func noteAbsence(of key: PrimaryKey, in classNumber: Int) {
        makeRoom(for: classNumber)
        classes[classNumber].byKey[key] = .some(nil)
    }

    /// The object of a row is deleted.
    mutating func remove(_ number: Int64, _ key: PrimaryKey, in classNumber: Int) {
        guard classes.indices.contains(classNumber) else { return }
        last = nil
        classes[classNumber].byNumber[number] = nil
        classes[classNumber].byKey[key] = .some(nil)
    }

    mutating func forget() { self = KnownRows() }

    private mutating func makeRoom(for classNumber: Int) {
        count += 1
        if count > Self.rowsMax { self = KnownRows() }
        while classes.count <= classNumber { classes.append(KnownClass()) }
    }
}
