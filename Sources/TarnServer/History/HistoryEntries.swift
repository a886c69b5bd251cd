import TarnCBOR
import TarnModel
import TarnProtocol
import TarnStorage

/// What one record says to people.
struct HistoryEntries {
    private let record: LogRecord
    private let object: HistorySubject?
    private var found: [FoundEntry] = []
    /// Counts all entries of the record, told or not, so that each has the same place always.
    private var index: UInt64 = 0

    /// - Parameter object: tells of this one alone.
    init(of record: LogRecord, about object: HistorySubject?) {
        self.record = record
        self.object = object
        if case .refused(let refusal) = record.outcome { addRefusal(refusal) }
        var vacated: (effect: ListEffect, slot: SlotID)?
        for effect in record.effects {
            if case .vacate(let list, let slot) = effect {
                if let vacated { addRemoval(vacated.effect, vacated.slot) }
                vacated = (list, slot)
                continue
            }
            if case .place(let list, let placed) = effect {
                // A move leaves a slot, and takes the next one.
                let isMove = placed.element.firstSlot != placed.slot
                if let vacated, !(isMove && vacated.effect == list) {
                    addRemoval(vacated.effect, vacated.slot)
                }
                vacated = nil
                addPlacing(list, placed, isMove: isMove)
                continue
            }
            if let vacated { addRemoval(vacated.effect, vacated.slot) }
            vacated = nil
            add(effect)
        }
        if let vacated { addRemoval(vacated.effect, vacated.slot) }
    }

    var newestFirst: [FoundEntry] { found.reversed() }

    private mutating func addRefusal(_ refusal: Refusal) {
        let entry = begin(.refused) { $0.sentence = refusal.sentence }
        // It cannot be told which objects it would have touched.
        if object == nil { found.append(FoundEntry(entry: entry)) }
    }

    private mutating func add(_ effect: Effect) {
        switch effect {
        case .putClass(let schema):
            let entry = begin(.defined) { $0.className = schema.name }
            if object == nil { found.append(FoundEntry(entry: entry)) }
        case .create(let className, let key, _, let values):
            let subject = HistorySubject(className: className, key: key)
            add(.created, subject)
            for value in values where !value.isDefault {
                add(.set, subject, value.property) { $0.value = value.value }
            }
        case .alias(_, let className, let key):
            add(.merged, HistorySubject(className: className, key: key))
        case .set(let className, let key, let property, let value, _):
            let subject = HistorySubject(className: className, key: key)
            add(.set, subject, property, wantsBefore: true) { $0.value = value }
        case .unlink(let className, let key, let property):
            let subject = HistorySubject(className: className, key: key)
            add(.unlinked, subject, property, wantsBefore: true) { $0.value = .null }
        case .delete(let className, let key):
            add(.deleted, HistorySubject(className: className, key: key))
        case .increment(let className, let key, let property, let amount):
            let subject = HistorySubject(className: className, key: key)
            add(.incremented, subject, property) { $0.value = .int(amount) }
        case .setEntry(let effect, let entry, let value):
            add(.put, effect.subject, effect.property, entry: entry, wantsBefore: true) {
                $0.value = value
            }
        case .removeEntry(let effect, let entry):
            add(.removed, effect.subject, effect.property, entry: entry, wantsBefore: true)
        case .unlinkEntry(let effect, let entry):
            add(.unlinked, effect.subject, effect.property, entry: entry, wantsBefore: true)
        case .place, .vacate:
            break
        }
    }

    private mutating func addPlacing(
        _ list: ListEffect, _ placed: PlacedElement, isMove: Bool
    ) {
        add(isMove ? .moved : .inserted, list.subject, list.property, slot: placed.slot) {
            $0.value = placed.value
        }
    }

    private mutating func addRemoval(_ list: ListEffect, _ slot: SlotID) {
        add(.removed, list.subject, list.property, slot: slot, wantsBefore: true)
    }

    private mutating func add(
        _ deed: HistoryDeed, _ subject: HistorySubject, _ property: String? = nil,
        entry: Value? = nil, slot: SlotID? = nil, wantsBefore: Bool = false,
        _ fill: (inout HistoryEntry) -> Void = { _ in }
    ) {
        let line = begin(deed) { line in
            line.className = subject.className
            line.key = subject.key
            line.property = property
            line.entry = entry
            fill(&line)
        }
        guard object == nil || object == subject else { return }
        let cell = property.map {
            HistoryCell(subject: subject, property: $0, entry: entry, slot: slot)
        }
        found.append(FoundEntry(entry: line, cell: cell, wantsBefore: wantsBefore))
    }

    private mutating func begin(
        _ deed: HistoryDeed, _ fill: (inout HistoryEntry) -> Void
    ) -> HistoryEntry {
        var entry = HistoryEntry(
            at: HistoryPlace(version: record.point.version, index: index),
            ticks: record.origin.ticks, by: record.origin.transaction,
            user: record.origin.user, deed)
        index += 1
        fill(&entry)
        return entry
    }
}

extension ListEffect {
    fileprivate var subject: HistorySubject { HistorySubject(className: className, key: key) }
}

extension Value {
    /// Bytes that it takes in an answer.
    var encodedBytes: Int {
        switch self {
        case .string(let text): text.string.utf8.count + 9
        case .data(let bytes): bytes.count + 12
        default: 32
        }
    }
}

extension HistoryEntry {
    /// Leaves values out that are too large.
    mutating func cut(above bytes: Int) {
        for part in [\HistoryEntry.value, \.before, \.entry] {
            guard let value = self[keyPath: part], value.encodedBytes > bytes else { continue }
            self[keyPath: part] = nil
            isCut = true
        }
    }
}
