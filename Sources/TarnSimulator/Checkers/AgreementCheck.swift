import TarnModel
import TarnStorage

/// That what a replica holds as the server's is what the server was at one version: of all its
/// complete subscriptions together, no more and no less.
struct AgreementCheck {
    let replica: ReplicaPicture
    let user: String
    let store: MemoryRealmStore
    let realm: RealmPicture
    let version: Version
    let law: Violation.Law
    /// In front of what is found.
    let place: String

    func run() throws {
        var held: Set<PlainName> = []
        for subscription in replica.subscriptions {
            let members = replica.members[subscription.number] ?? []
            guard case .complete = subscription.state else {
                if !members.isEmpty { throw found("holds for \(subscription.query), not complete") }
                continue
            }
            guard let wanted = try Selection(of: subscription, by: user, in: store) else {
                throw found("has \(subscription.query) complete, which makes no sense")
            }
            let roots = replica.roots[subscription.number] ?? []
            guard roots == Set(wanted.roots) else {
                throw found(
                    "has other roots of \(subscription.query)", text(roots), text(wanted.roots))
            }
            guard members == wanted.members else {
                throw found(
                    "has other members of \(subscription.query) depth \(subscription.depth)",
                    text(members.subtracting(wanted.members)),
                    text(wanted.members.subtracting(members)))
            }
            held.formUnion(members)
        }
        for name in replica.confirmed.keys.sorted() where !held.contains(name) {
            throw found("holds \(name), which no subscription has")
        }
        for name in held.sorted() { try compare(name) }
    }

    private func compare(_ name: PlainName) throws(Violation) {
        guard let own = replica.confirmed[name], var wanted = realm.objects[name] else {
            throw found("has not \(name), or the server has not")
        }
        // A class may have more properties here, which the server has not heard of.
        for (property, value) in own.values where wanted.values[property] == nil {
            wanted.values[property] = value
        }
        for (property, list) in own.lists where wanted.lists[property] == nil {
            wanted.lists[property] = list
        }
        for (property, entries) in own.entries where wanted.entries[property] == nil {
            wanted.entries[property] = entries
        }
        guard own == wanted else {
            throw found("has \(name) otherwise", own.difference(to: wanted))
        }
    }

    private func found(_ sentence: String, _ sides: String...) -> Violation {
        Violation(
            law, "\(place) at version \(version) " + sentence,
            sides.enumerated().map { ($0 == 0 ? "replica: " : "server: ") + $1 })
    }

    private func text(_ names: some Sequence<PlainName>) -> String {
        names.sorted().map(\.description).joined(separator: ", ")
    }
}
