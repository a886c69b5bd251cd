import TarnModel

/// Transactions, uploads and receipts.
extension JSON {
    var transaction: Transaction {
        get throws {
            let id = try transactionID
            var ordinal: UInt32 = 0
            return Transaction(
                id: id, base: try self["base"].resumePoint,
                changes: try self["changes"].elements.map {
                    try $0.change(of: id, ordinal: &ordinal)
                })
        }
    }

    private func change(of id: TransactionID, ordinal: inout UInt32) throws -> Change {
        func nextSlot() -> SlotID {
            defer { ordinal += 1 }
            return SlotID(transaction: id, ordinal: ordinal)
        }
        switch try self["change"].text {
        case "addClass":
            return .addClass(try self["class"].classSchema)
        case "create":
            return .create(
                className: try self["class"].text, key: try self["key"].key,
                values: try self["values"].elements.map { try $0.initialValue })
        case "set":
            return .set(try object, property: try name, value: try self["value"].value)
        case "delete":
            return .delete(try object)
        case "insert":
            return .insert(
                try object, property: try name, slot: nextSlot(), place: try place,
                value: try self["value"].value)
        case "move":
            return .move(
                try object, property: try name, element: try element, slot: nextSlot(),
                place: try place)
        case "remove":
            return .remove(try object, property: try name, element: try element)
        case "increment":
            return .increment(try object, property: try name, by: try self["by"].integer())
        case "setEntry":
            return .setEntry(
                try object, property: try name, entry: try self["entry"].value,
                value: try self["value"].value)
        case "removeEntry":
            return .removeEntry(try object, property: try name, entry: try self["entry"].value)
        case "deleteOwned":
            return .deleteOwned(try object)
        default: throw Fault("no change")
        }
    }

    private var name: String { get throws { try self["property"].text } }

    private var element: ElementID {
        get throws { ElementID(insertedIn: try self["element"].slot) }
    }

    private var object: ObjectName {
        get throws {
            let named = try self["object"]
            return ObjectName(
                try named["class"].text, try named["key"].key,
                life: try named["life"].transactionID)
        }
    }

    private var place: ListPlace {
        get throws {
            ListPlace(
                after: try self["after"].orNil { try $0.slot },
                before: try self["before"].orNil { try $0.slot })
        }
    }

    private var initialValue: InitialValue {
        get throws {
            InitialValue(
                try name, try self["value"].value, isDefault: try self["isDefault"].flag)
        }
    }

    var sealed: SealedTransaction {
        get throws {
            SealedTransaction(
                body: try self["body"].bytes, hash: try self["hash"].hash,
                clockTicks: try self["clockTicks"].integer(),
                standing: try member("standing").map {
                    try $0.text == "undone" ? .undone : .decided
                } ?? .new)
        }
    }

    var receipt: Receipt {
        get throws {
            Receipt(
                sequence: try sequence, hash: try self["hash"].hash,
                version: Version(try self["version"].integer()),
                ticks: try self["ticks"].integer(), outcome: try self["outcome"].outcome)
        }
    }

    private var outcome: Outcome {
        get throws {
            switch try self["kind"].text {
            case "accepted": return .accepted
            case "overridden":
                return .overridden(try self["overrides"].elements.map { try $0.override })
            case "parked":
                let creator = try self["creator"].transactionID
                return .parked(Parking(creator: creator, sentence: try self["sentence"].text))
            default:
                let codes = [
                    "schemaConflict", "unknownName", "wrongType", "dependsOnRefused", "tooLarge",
                    "notUnique", "heldTwice", "refusedBefore",
                ]
                guard let code: Refusal.Code = try number(self["code"].text, in: codes) else {
                    throw Fault("no code")
                }
                return .refused(Refusal(code, try self["sentence"].text))
            }
        }
    }

    private var override: Override {
        get throws {
            let reasons = [
                "objectDeleted", "laterValue", "elementGone", "targetDeleted", "ownerDeleted",
                "valueIsNull",
            ]
            guard let reason: Override.Reason = try number(self["reason"].text, in: reasons) else {
                throw Fault("no reason")
            }
            return Override(
                className: try self["class"].text, key: try self["key"].key,
                property: try self["property"].orNil { try $0.text }, reason: reason,
                winner: try self["winner"].orNil {
                    Override.Winner(
                        user: try $0["user"].text, value: try $0["value"].orNil { try $0.value })
                })
        }
    }

    private func number<Code: RawRepresentable<UInt64>>(
        _ name: String, in names: [String]
    ) -> Code? {
        names.firstIndex(of: name).flatMap { Code(rawValue: UInt64($0 + 1)) }
    }
}
