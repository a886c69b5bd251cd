import TarnModel
import TarnProtocol

/// About how many bytes something takes on the wire: little matters but the long values.
extension Value {
    fileprivate var weight: Int {
        switch self {
        case .string(let text): text.string.utf8.count + 3
        case .data(let data): data.count + 3
        case .link(let link): link.key.weight + 3
        default: 9
        }
    }
}

extension PrimaryKey {
    fileprivate var weight: Int {
        switch self {
        case .string(let text): text.string.utf8.count + 3
        default: 17
        }
    }
}

extension SlotContent {
    fileprivate var weight: Int { value.weight + 12 }
}

extension Arrival {
    var weight: Int {
        properties.reduce(object.key.weight + 12) { sum, content in
            switch content {
            case .value(let value): sum + value.weight
            case .list(let slots): slots.reduce(sum) { $0 + $1.weight }
            case .entries(let entries):
                entries.reduce(sum) { $0 + $1.entry.weight + $1.value.weight }
            }
        }
    }
}

extension ObjectChange {
    var weight: Int {
        var sum = values.reduce(object.key.weight) { $0 + $1.value.weight + 3 }
        for list in lists {
            sum += list.vacated.count * 8
            sum += list.placed.reduce(0) { $0 + $1.content.weight + 8 }
        }
        for collection in entries {
            sum += collection.changes.reduce(0) { $0 + $1.entry.weight + ($1.value?.weight ?? 0) }
        }
        return sum
    }
}
