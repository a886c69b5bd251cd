import TarnModel
import TarnProtocol

/// Who may do what with a realm: the one place where that is asked.
enum RealmAccess {
    /// Nil where the user may open the realm, and read what happened in it. Realms belong to their
    /// owner; whether another's exists is not told.
    static func refusal(of user: String, opening realm: RealmName) -> ProtocolError? {
        user == realm.owner
            ? nil : ProtocolError(.realmRefused, "\(user) may not open \(realm).")
    }
}
