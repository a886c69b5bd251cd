import TarnCBOR
import TarnModel

/// The keys of an entry's map.
private enum EntryOption: UInt64 {
    case className = 1
    case key = 2
    case property = 3
    case entry = 4
    case value = 5
    case before = 6
    case isCut = 7
    case sentence = 8
}

extension MessageWriter {
    /// `realm, object, before, limit`: four fields.
    mutating func write(_ request: HistoryRequest) {
        cbor.write(request.realm.description)
        if let object = request.object {
            cbor.writeArrayHeader(2)
            cbor.write(object.className)
            cbor.write(object.key)
        } else {
            cbor.writeNull()
        }
        write(request.before)
        cbor.write(request.limit)
    }

    /// `entries, next, floor`: three fields.
    mutating func write(_ page: HistoryPage) {
        cbor.writeArrayHeader(page.entries.count)
        for entry in page.entries { write(entry) }
        if let next = page.next { write(next) } else { cbor.writeNull() }
        cbor.write(page.floor.number)
    }

    private mutating func write(_ place: HistoryPlace) {
        cbor.writeArrayHeader(2)
        cbor.write(place.version.number)
        cbor.write(place.index)
    }

    private mutating func write(_ entry: HistoryEntry) {
        cbor.writeArrayHeader(6)
        write(entry.place)
        cbor.write(entry.ticks)
        cbor.write(entry.transaction)
        cbor.write(entry.user)
        cbor.write(entry.deed.rawValue)
        let values =
            [(EntryOption.entry, entry.entry), (.value, entry.value)]
            + [(.before, entry.before)]
        let texts = [(EntryOption.className, entry.className), (.property, entry.property)]
        let count =
            texts.count { $1 != nil } + values.count { $1 != nil } + (entry.key == nil ? 0 : 1)
            + (entry.isCut ? 1 : 0) + (entry.sentence == nil ? 0 : 1)
        cbor.writeMapHeader(count)
        write(entry.className, .className)
        if let key = entry.key {
            cbor.write(EntryOption.key.rawValue)
            cbor.write(key)
        }
        write(entry.property, .property)
        for case (let option, let value?) in values {
            cbor.write(option.rawValue)
            cbor.write(value)
        }
        if entry.isCut {
            cbor.write(EntryOption.isCut.rawValue)
            cbor.write(true)
        }
        write(entry.sentence, .sentence)
    }

    private mutating func write(_ text: String?, _ option: EntryOption) {
        guard let text else { return }
        cbor.write(option.rawValue)
        cbor.write(text)
    }
}

extension HistoryEntry {
    /// Bytes that it takes in a page.
    package var encodedCount: Int {
        var writer = MessageWriter()
        writer.write(HistoryPage(entries: [self], next: nil, floor: .zero))
        return writer.cbor.bytes.count
    }
}

extension MessageReader {
    mutating func readHistoryRequest() throws(CBORError) -> HistoryRequest {
        let start = cbor.offset
        guard let realm = RealmName(try cbor.readText()) else {
            throw CBORError(.malformed, at: start)
        }
        var object: HistorySubject?
        if try !cbor.skipNull() {
            try cbor.expectArray(2)
            let className = try cbor.readText()
            object = HistorySubject(className: className, key: try cbor.readKey())
        }
        let before = try readHistoryPlace()
        return HistoryRequest(
            realm: realm, object: object, before: before, limit: try cbor.readUInt64())
    }

    mutating func readHistoryPage() throws(CBORError) -> HistoryPage {
        var entries: [HistoryEntry] = []
        for _ in 0..<(try cbor.readArrayHeader()) { entries.append(try readHistoryEntry()) }
        let next: HistoryPlace? = try cbor.skipNull() ? nil : try readHistoryPlace()
        return HistoryPage(
            entries: entries, next: next, floor: Version(try cbor.readUInt64()))
    }

    private mutating func readHistoryPlace() throws(CBORError) -> HistoryPlace {
        try cbor.expectArray(2)
        let version = Version(try cbor.readUInt64())
        return HistoryPlace(version: version, index: try cbor.readUInt64())
    }

    private mutating func readHistoryEntry() throws(CBORError) -> HistoryEntry {
        try cbor.expectArray(6)
        let place = try readHistoryPlace()
        let ticks = try cbor.readUInt64()
        let transaction = try cbor.readTransactionID()
        let user = try cbor.readText()
        let start = cbor.offset
        guard let deed = HistoryDeed(rawValue: try cbor.readUInt64()) else {
            throw CBORError(.outOfRange, at: start)
        }
        var entry = HistoryEntry(
            at: place, ticks: ticks, by: transaction, user: user, deed)
        try readOptions { (option, cbor) throws(CBORError) in
            switch EntryOption(rawValue: option) {
            case .className: entry.className = try cbor.readText()
            case .key: entry.key = try cbor.readKey()
            case .property: entry.property = try cbor.readText()
            case .entry: entry.entry = try cbor.readValue()
            case .value: entry.value = try cbor.readValue()
            case .before: entry.before = try cbor.readValue()
            case .isCut: entry.isCut = try cbor.readBool()
            case .sentence: entry.sentence = try cbor.readText()
            case nil: try cbor.skipItem()
            }
        }
        return entry
    }
}
