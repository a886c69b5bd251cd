import TarnModel
import TarnProtocol

/// Groups and view deltas.
extension JSON {
    var group: Group {
        get throws {
            Group(
                from: try self["from"].resumePoint, to: try self["to"].resumePoint,
                time: try self["time"].integer(),
                classes: try self["classes"].elements.map {
                    NumberedClass(
                        number: try $0["number"].integer(), schema: try $0["class"].classSchema)
                },
                views: try self["views"].elements.map {
                    GroupView(
                        subscription: try $0["subscription"].integer(),
                        replaced: try $0.replacement, delta: try $0["delta"].bytes)
                },
                receipts: try self["receipts"].elements.map { try $0.receipt },
                faults: try self["faults"].elements.map {
                    SubscriptionFault(
                        subscription: try $0["subscription"].integer(),
                        sentence: try $0["sentence"].text)
                },
                progress: try member("progress").map {
                    SeriesProgress(
                        cursor: try $0["cursor"].bytes, done: try $0["done"].integer(),
                        total: try $0["total"].integer())
                })
        }
    }

    private var replacement: GroupView.Replacement {
        get throws {
            guard let buckets = member("buckets") else {
                return try self["isFull"].flag ? .everything : .nothing
            }
            return .buckets(try buckets.bucketSet)
        }
    }

    var delta: ViewDelta {
        get throws {
            ViewDelta(
                departures: try self["departures"].elements.map { try $0.objectKey },
                arrivals: try self["arrivals"].elements.map { try $0.arrival },
                changes: try self["changes"].elements.map { try $0.objectChange })
        }
    }

    private var objectKey: ObjectKey {
        get throws {
            ObjectKey(classNumber: try self["class"].integer(), key: try self["key"].key)
        }
    }

    private var arrival: Arrival {
        get throws {
            Arrival(
                object: try self["object"].objectKey, life: try self["life"].transactionID,
                isRoot: try self["isRoot"].flag,
                properties: try self["properties"].elements.map { try $0.propertyContent })
        }
    }

    var propertyContent: PropertyContent {
        get throws {
            if let list = member("list") {
                return .list(try list.elements.map { try $0.slotContent })
            }
            if let entries = member("entries") {
                return .entries(try entries.elements.map { try $0.entry })
            }
            return .value(try self["value"].value)
        }
    }

    private var entry: Entry {
        get throws { Entry(entry: try self["entry"].value, value: try self["value"].value) }
    }

    private var slotContent: SlotContent {
        get throws {
            SlotContent(
                slot: try self["slot"].slot,
                element: ElementID(insertedIn: try self["element"].slot),
                value: try self["value"].value)
        }
    }

    private var objectChange: ObjectChange {
        get throws {
            ObjectChange(
                object: try self["object"].objectKey,
                values: try self["values"].elements.map {
                    NumberedValue(
                        property: try $0["property"].integer(), value: try $0["value"].value)
                },
                lists: try self["lists"].elements.map { try $0.listChange },
                entries: try self["entries"].elements.map { try $0.entriesChange })
        }
    }

    private var listChange: ListChange {
        get throws {
            ListChange(
                property: try self["property"].integer(),
                vacated: try self["vacated"].elements.map { try $0.slot },
                placed: try self["placed"].elements.map {
                    PlacedSlotContent(
                        content: try $0.slotContent,
                        predecessor: try $0["predecessor"].orNil { try $0.slot })
                })
        }
    }

    private var entriesChange: EntriesChange {
        get throws {
            let removed = try self["removed"].elements.map {
                EntryChange(entry: try $0.value, value: nil)
            }
            let set = try self["set"].elements.map { try $0.entry }
            return EntriesChange(
                property: try self["property"].integer(),
                changes: removed + set.map { EntryChange(entry: $0.entry, value: $0.value) })
        }
    }
}
