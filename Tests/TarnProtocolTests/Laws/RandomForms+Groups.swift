import TarnModel
import TarnProtocol
import TarnTesting

/// Groups and view deltas, whether or not they make sense.
extension RandomForms {
    mutating func group() -> Group {
        Group(
            from: point(), to: point(), time: signed(),
            classes: list(upTo: 2) {
                NumberedClass(number: $0.below(300), schema: $0.classSchema())
            },
            views: list(upTo: 2) {
                GroupView(
                    subscription: $0.signed(), replaced: $0.replacement(),
                    delta: $0.delta().encoded())
            },
            receipts: list(upTo: 3) { $0.receipt() },
            faults: list(upTo: 2) {
                SubscriptionFault(subscription: $0.signed(), sentence: $0.text())
            },
            progress: flag()
                ? SeriesProgress(
                    cursor: generator.bytes(below(20)), done: unsigned(), total: unsigned()) : nil)
    }

    private mutating func replacement() -> GroupView.Replacement {
        switch below(3) {
        case 0: .nothing
        case 1: .everything
        default: .buckets(BucketSet(bytes: generator.bytes(1 << below(4)))!)
        }
    }

    mutating func receipt() -> Receipt {
        let outcome: Outcome =
            switch below(4) {
            case 0: .accepted
            case 1: .overridden(list(upTo: 3) { $0.override() })
            case 2: .parked(Parking(creator: transaction(), sentence: text()))
            default: .refused(Refusal(Refusal.Code(rawValue: UInt64(below(8) + 1))!, text()))
            }
        return Receipt(
            sequence: unsigned(), hash: hash(), version: Version(unsigned()), ticks: unsigned(),
            outcome: outcome)
    }

    private mutating func override() -> Override {
        let winner =
            flag() ? Override.Winner(user: text(), value: flag() ? value() : nil) : nil
        return Override(
            className: text(), key: key(), property: flag() ? text() : nil,
            reason: Override.Reason(rawValue: UInt64(below(6) + 1))!, winner: winner)
    }

    mutating func delta() -> ViewDelta {
        ViewDelta(
            departures: list(upTo: 3) { $0.objectKey() }, arrivals: list(upTo: 3) { $0.arrival() },
            changes: list(upTo: 3) { $0.objectChange() })
    }

    private mutating func objectKey() -> ObjectKey {
        ObjectKey(classNumber: below(300), key: key())
    }

    private mutating func slotContent() -> SlotContent {
        let slot = slot()
        let element = flag() ? ElementID(insertedIn: slot) : ElementID(insertedIn: self.slot())
        return SlotContent(slot: slot, element: element, value: value())
    }

    private mutating func arrival() -> Arrival {
        Arrival(
            object: objectKey(), life: transaction(), isRoot: flag(),
            properties: list(upTo: 4) { $0.content() })
    }

    private mutating func content() -> PropertyContent {
        switch below(3) {
        case 0: .value(value())
        case 1: .list(list(upTo: 3) { $0.slotContent() })
        default: .entries(list(upTo: 3) { Entry(entry: $0.value(), value: $0.value()) })
        }
    }

    /// What is gone stands before what is there, as it is written.
    private mutating func entriesChange() -> EntriesChange {
        EntriesChange(
            property: below(300),
            changes: list(upTo: 2) { EntryChange(entry: $0.value(), value: nil) }
                + list(upTo: 2) { EntryChange(entry: $0.value(), value: $0.value()) })
    }

    private mutating func objectChange() -> ObjectChange {
        ObjectChange(
            object: objectKey(),
            values: list(upTo: 3) { NumberedValue(property: $0.below(300), value: $0.value()) },
            lists: list(upTo: 2) { forms in
                ListChange(
                    property: forms.below(300), vacated: forms.list(upTo: 2) { $0.slot() },
                    placed: forms.list(upTo: 2) {
                        PlacedSlotContent(
                            content: $0.slotContent(), predecessor: $0.flag() ? $0.slot() : nil)
                    })
            }, entries: list(upTo: 2) { $0.entriesChange() })
    }
}
