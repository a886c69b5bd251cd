import TarnClient
import TarnModel
import TarnStorage

/// Visible as the chapter defines it: the confirmed state, and each pending transaction done to all
/// of it, in order. It knows no shadow, touch or cache.
enum NaiveFold {
    static func visible(
        confirmed: PlainRealm, pending: [OutboxEntry], replica: ReplicaID
    ) throws -> [Ref: Picture] {
        var realm = confirmed
        realm.keepsAnchors = true
        realm.means = { $0 == $1 || $0.replica == replica }
        for ref in realm.objects.keys {
            for property in realm.objects[ref]!.lists.keys {
                let slots = realm.objects[ref]!.lists[property]!
                realm.objects[ref]!.lists[property] = slots.map {
                    PlainRealm.Slot(
                        slot: $0.slot, element: $0.element, value: $0.value, isConfirmed: true)
                }
            }
        }
        for entry in pending {
            let transaction = try TransactionDecoder.transaction(from: entry.sealed.body)
            for change in transaction.changes { realm.apply(change, by: transaction.id) }
        }
        return realm.pictures
    }
}
