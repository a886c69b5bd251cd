import TarnModel
import TarnProtocol

/// Teams have what projects and items have not: counters, sets, maps, a part, and other teams that
/// belong to them.
extension ToDo {
    static let badge = ClassSchema(
        "Badge", primaryKey: PropertySchema("badgeId", .string),
        properties: [PropertySchema("label", .string)], isEmbedded: true)
    static let team = ClassSchema(
        "Team", primaryKey: PropertySchema("teamId", .string),
        properties: [
            PropertySchema("score", .int), .set("tags", of: .string),
            .set("members", of: .link("Item")), .map("scores", of: .double),
            .map("places", of: .link("Item")), PropertySchema("badge", .link("Badge")),
            PropertySchema("heir", .link("Team"), isOwning: true),
            .list("rows", of: .link("Team"), isOwning: true),
            PropertySchema("slug", .int, isOptional: true, isUnique: true),
        ])
}

extension RandomWriter {
    private static let badges = 2
    private static let teams = 3

    mutating func teamChanges(
        _ id: TransactionID, _ slots: inout UInt32, _ model: ReplicaModel
    ) -> [Change] {
        guard chance(85), let team = name(in: Self.teams, model) else { return [createTeam(id)] }
        let number = Int64.random(in: 0..<4, using: &random)
        let entry = Value.string(["a", "b", "c"].randomElement(using: &random) ?? "")
        switch Int.random(in: 0..<13, using: &random) {
        case 0..<2: return [.increment(team, property: "score", by: number - 2)]
        case 2: return [.set(team, property: "score", value: .int(number))]
        case 3: return [.setEntry(team, property: "tags", entry: entry, value: .bool(true))]
        case 4: return [.removeEntry(team, property: "tags", entry: entry)]
        case 5:
            let member = link(to: 1, model)
            guard member != .null else { return [] }
            return chance(70)
                ? [.setEntry(team, property: "members", entry: member, value: .bool(true))]
                : [.removeEntry(team, property: "members", entry: member)]
        case 6:
            let value = Value.double(Real(bits: UInt64(number) << 62))
            return [.setEntry(team, property: "scores", entry: entry, value: value)]
        case 7:
            let member = link(to: 1, model)
            guard member != .null else { return [] }
            return [.setEntry(team, property: "places", entry: entry, value: member)]
        case 8:
            return [
                .removeEntry(team, property: chance(50) ? "scores" : "places", entry: entry)
            ]
        case 9: return replaceBadge(of: team, id, model)
        case 10:
            return [.set(team, property: "heir", value: link(to: Self.teams, model))]
        case 11:
            let row = link(to: Self.teams, model)
            guard row != .null else { return [] }
            defer { slots += 1 }
            return [
                .insert(
                    team, property: "rows", slot: id.slot(slots),
                    place: ListPlace(after: nil, before: nil), value: row)
            ]
        default:
            return chance(50)
                ? [.delete(team)]
                : [.set(team, property: "slug", value: chance(30) ? .null : .int(number))]
        }
    }

    private mutating func createTeam(_ id: TransactionID) -> Change {
        let key = PrimaryKey.string(Text("t\(Int.random(in: 0..<5, using: &random))"))
        made[ObjectKey(classNumber: Self.teams, key: key)] = id
        return .create(className: "Team", key: key, values: [])
    }

    /// A new part in place of whatever was there, or a part that is there already, perhaps
    /// somebody's.
    private mutating func replaceBadge(
        of team: ObjectName, _ id: TransactionID, _ model: ReplicaModel
    ) -> [Change] {
        guard chance(70) else {
            return [.set(team, property: "badge", value: link(to: Self.badges, model))]
        }
        let key = PrimaryKey.string(
            Text("b\(id.sequence)\(Int.random(in: 0..<2, using: &random))"))
        return [
            .create(className: "Badge", key: key, values: []),
            .set(team, property: "badge", value: .link(Link(key: key, life: id))),
        ]
    }
}
