import TarnModel

/// Who set one cell last, and when it changed last.
struct CellMark: Hashable {
    /// The version whose stamp it has.
    var stamped: Version
    /// At or above `stamped`.
    var changed: Version
    var isDefault: Bool
}

/// The marks of a row's cells. Most cells of most rows are as they were created, so the row has one
/// version, and a blob of the exceptions:
///
///     [property << 2 | isDefault << 1 | hasVersions, (stamped, changed - stamped if hasVersions)]
///
/// each number in groups of seven bits, the lowest first, the highest bit set where more follow. A
/// property that the class did not have yet when the row was created is a default of that version.
struct RowMarks {
    let created: Version
    /// How many properties the class had then.
    let known: Int
    /// By property, in order. They are few, so that a search is a walk.
    private var exceptions: [(property: Int, mark: CellMark)] = []

    init(created: Version, known: Int) {
        self.created = created
        self.known = known
    }

    subscript(property: Int) -> CellMark {
        get {
            for exception in exceptions where exception.property == property {
                return exception.mark
            }
            return usual(property)
        }
        set {
            let place = exceptions.firstIndex { $0.property >= property } ?? exceptions.count
            let isThere = place < exceptions.count && exceptions[place].property == property
            switch (isThere, newValue == usual(property)) {
            case (true, true): exceptions.remove(at: place)
            case (true, false): exceptions[place].mark = newValue
            case (false, true): break
            case (false, false): exceptions.insert((property, newValue), at: place)
            }
        }
    }

    /// The versions whose stamp a cell bears, besides the one that created the row.
    var stampedVersions: [Version] { exceptions.map(\.mark.stamped) }

    private func usual(_ property: Int) -> CellMark {
        CellMark(stamped: created, changed: created, isDefault: property >= known)
    }

    // MARK: Coding

    /// Nil where nothing is exceptional.
    var encoded: [UInt8]? {
        if exceptions.isEmpty { return nil }
        var bytes: [UInt8] = []
        for (property, mark) in exceptions {
            let hasVersions = mark.stamped != created || mark.changed != created
            let head = UInt64(property) << 2 | (mark.isDefault ? 2 : 0) | (hasVersions ? 1 : 0)
            Self.append(head, to: &bytes)
            guard hasVersions else { continue }
            Self.append(mark.stamped.number, to: &bytes)
            Self.append(mark.changed.number &- mark.stamped.number, to: &bytes)
        }
        return bytes
    }

    /// Nil for bytes that are no marks.
    init?(created: Version, known: Int, encoded: [UInt8]) {
        self.init(created: created, known: known)
        var rest = encoded[...]
        while !rest.isEmpty {
            guard let head = Self.next(&rest), let property = Int(exactly: head >> 2),
                property < Schema.propertiesMax
            else { return nil }
            var mark = CellMark(stamped: created, changed: created, isDefault: head & 2 != 0)
            if head & 1 != 0 {
                guard let stamped = Self.next(&rest), let later = Self.next(&rest) else {
                    return nil
                }
                let (changed, overflow) = stamped.addingReportingOverflow(later)
                guard !overflow else { return nil }
                mark.stamped = Version(stamped)
                mark.changed = Version(changed)
            }
            self[property] = mark
        }
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func next(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            let bits = UInt64(byte & 0x7F)
            guard (bits << UInt64(shift)) >> UInt64(shift) == bits else { return nil }
            number |= bits << UInt64(shift)
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }
}
