package import TarnModel

/// Accounts in memory.
package final class MemoryAccountStore: AccountStore {
    private var byID: [String: Account] = [:]
    private var tokens: [[UInt8]: String] = [:]
    private var realmIDs: [RealmName: RealmID] = [:]

    /// Asked before each call that writes; each is a transaction of its own.
    package var fault: StorageFault

    package init(fault: @escaping StorageFault = { _ in nil }) { self.fault = fault }

    /// Another one with what is in this one, as a backup has it. It never fails.
    package func copied() -> MemoryAccountStore {
        let copy = MemoryAccountStore()
        (copy.byID, copy.tokens, copy.realmIDs) = (byID, tokens, realmIDs)
        return copy
    }

    private func check() throws(StorageError) {
        if let error = fault(.commit) { throw error }
    }

    package func account(_ id: String) throws(StorageError) -> Account? { byID[id] }

    package func accounts() throws(StorageError) -> [Account] {
        byID.values.sorted { Text($0.id) < Text($1.id) }
    }

    package func create(_ account: Account) throws(StorageError) -> Bool {
        try check()
        guard byID[account.id] == nil else { return false }
        byID[account.id] = account
        return true
    }

    package func remove(_ id: String) throws(StorageError) -> Bool {
        try check()
        tokens = tokens.filter { $0.value != id }
        return byID.removeValue(forKey: id) != nil
    }

    package func setPassword(_ password: PasswordHash, of id: String) throws(StorageError) {
        try check()
        byID[id]?.password = password
    }

    package func addToken(_ tokenHash: [UInt8], of user: String) throws(StorageError) {
        try check()
        tokens[tokenHash] = user
    }

    package func user(ofToken tokenHash: [UInt8]) throws(StorageError) -> String? {
        tokens[tokenHash]
    }

    package func removeToken(_ tokenHash: [UInt8]) throws(StorageError) {
        try check()
        tokens[tokenHash] = nil
    }

    package func realm(_ name: RealmName) throws(StorageError) -> RealmID? { realmIDs[name] }

    package func createRealm(_ name: RealmName, id: RealmID) throws(StorageError) -> Bool {
        try check()
        guard realmIDs[name] == nil else { return false }
        realmIDs[name] = id
        return true
    }

    package func realms() throws(StorageError) -> [(name: RealmName, id: RealmID)] {
        realmIDs.map { (name: $0.key, id: $0.value) }
            .sorted { ($0.name.owner, $0.name.name) < ($1.name.owner, $1.name.name) }
    }
}
