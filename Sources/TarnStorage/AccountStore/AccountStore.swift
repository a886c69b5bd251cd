package import TarnModel

/// A user of a daemon.
package struct Account: Hashable, Sendable {
    /// The stable id, which queries see as `$user`: the name it was registered under.
    package let id: String
    /// Nil for one who has only ever come by nickname.
    package var password: PasswordHash?

    package init(id: String, password: PasswordHash?) {
        self.id = id
        self.password = password
    }
}

/// A scrypt hash, with what it was made by.
package struct PasswordHash: Hashable, Sendable {
    package let salt: [UInt8]
    package let hash: [UInt8]
    /// The cost parameter N, and r and p.
    package let cost: Int
    package let blockSize: Int
    package let parallelism: Int

    package init(salt: [UInt8], hash: [UInt8], cost: Int, blockSize: Int, parallelism: Int) {
        self.salt = salt
        self.hash = hash
        self.cost = cost
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}

/// The users of a daemon, their sessions' tokens and the realms' names.
///
/// Guarantees: what a call wrote survives the loss of power when it has returned. Called from one
/// thread at a time; several processes may have it open.
package protocol AccountStore: AnyObject {
    func account(_ id: String) throws(StorageError) -> Account?
    /// In the order of their ids.
    func accounts() throws(StorageError) -> [Account]
    /// False where there is one of that id already.
    func create(_ account: Account) throws(StorageError) -> Bool
    /// Takes the account and its tokens; its realms stay. False where there is none.
    func remove(_ id: String) throws(StorageError) -> Bool
    func setPassword(_ password: PasswordHash, of id: String) throws(StorageError)

    /// Remembers a session by the SHA-256 of its token.
    func addToken(_ tokenHash: [UInt8], of user: String) throws(StorageError)
    /// Whose session it is; nil for one that was never there or was revoked.
    func user(ofToken tokenHash: [UInt8]) throws(StorageError) -> String?
    func removeToken(_ tokenHash: [UInt8]) throws(StorageError)

    func realm(_ name: RealmName) throws(StorageError) -> RealmID?
    /// False where the name is taken.
    func createRealm(_ name: RealmName, id: RealmID) throws(StorageError) -> Bool
    func realms() throws(StorageError) -> [(name: RealmName, id: RealmID)]
}
