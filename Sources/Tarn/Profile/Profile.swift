import Glibc
package import TarnModel

/// One user's place on this machine: who is logged in, and the replicas of their realms.
///
///     account                   server, user, token and trust
///     realms/OWNER/NAME.tarn    a replica, with SQLite's own files beside it
///     realms/OWNER/NAME.wake    by which processes tell each other of commits
///
/// The folder has mode 0700, files 0600. Several processes may use it at once.
package struct Profile: Sendable {
    package static let defaultName = "default"

    package let name: String
    package let path: String

    /// Opens the profile of that name, and makes its folder where there is none.
    ///
    /// - Parameter base: the folder of all profiles; see `base`.
    package init(_ name: String = defaultName, in base: String) throws(TarnError) {
        guard RealmName.isValidPart(name) else {
            throw TarnError(
                .nameInvalid, "a profile cannot be called \"\(name)\".",
                advice: "Use lower-case letters, digits, dots, hyphens and underscores.")
        }
        self.name = name
        path = "\(base)/\(name)"
        try PrivateFile.makeFolder(path)
    }

    /// The folder of all profiles: `TARN_HOME`, else `tarn` in `XDG_DATA_HOME`, else in
    /// `~/.local/share`.
    package static func base(
        environment: (_ variable: String) -> String?
    ) throws(TarnError) -> String {
        if let home = environment("TARN_HOME"), !home.isEmpty { return home }
        // What is not absolute is to be ignored, says the specification of these folders.
        if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/tarn" }
        if let home = environment("HOME"), home.hasPrefix("/") {
            return "\(home)/.local/share/tarn"
        }
        throw TarnError(
            .folderUnusable, "there is no home folder to keep anything in.",
            advice: "Set HOME or TARN_HOME.")
    }

    // MARK: - The account

    package var accountPath: String { "\(path)/account" }

    /// Nil where nobody is logged in.
    package func account() throws(TarnError) -> Account? {
        guard let bytes = try PrivateFile.read(accountPath, bytesMax: Account.bytesMax)
        else {
            return nil
        }
        guard let text = String(validating: bytes, as: UTF8.self),
            bytes.count <= Account.bytesMax
        else {
            throw TarnError(
                .accountCorrupt, "the account file \(accountPath) is no text.",
                advice: "Move it away and log in again; no work is lost by that.")
        }
        do throws(TarnError) {
            return try Account(text: text)
        } catch {
            throw TarnError(
                error.code, "\(accountPath): \(error.sentence)", advice: error.advice)
        }
    }

    /// The account, where nobody is logged in the error `notLoggedIn`.
    package func requireAccount() throws(TarnError) -> Account {
        guard let account = try account() else {
            throw TarnError(
                .notLoggedIn, "nobody is logged in.",
                advice: "Use `tarn login` or `tarn register`.")
        }
        return account
    }

    package func save(_ account: Account) throws(TarnError) {
        guard account.isWritable else {
            throw TarnError(.accountCorrupt, "the account cannot be written down.")
        }
        try PrivateFile.write(Array(account.text.utf8), to: accountPath)
    }

    package func removeAccount() throws(TarnError) {
        try PrivateFile.remove(accountPath)
    }

    // MARK: - Replicas

    var realmsPath: String { "\(path)/realms" }

    package func replicaPath(of realm: RealmName) -> String {
        "\(realmsPath)/\(realm.owner)/\(realm.name).tarn"
    }

    /// The replica of the account's user, made where there is none; the error `replicaGone` where
    /// they have logged out meanwhile.
    package func openReplica(
        of realm: RealmName, for account: Account
    ) throws(TarnError) -> SharedReplica {
        try alone { () throws(TarnError) in
            guard try self.account()?.user == account.user else { throw SharedReplica.gone }
            let path = replicaPath(of: realm)
            try PrivateFile.makeFolder(realmsPath)
            try PrivateFile.makeFolder(PrivateFile.folder(of: path))
            return try SharedReplica(at: path, of: realm, user: account.user)
        }
    }

    /// The realms of which there are replicas here, by name.
    package func realms() throws(TarnError) -> [RealmName] {
        var realms: [RealmName] = []
        for owner in try PrivateFile.names(in: realmsPath) {
            for file in try PrivateFile.names(in: "\(realmsPath)/\(owner)")
            where file.hasSuffix(".tarn") {
                guard let realm = RealmName(owner: owner, name: String(file.dropLast(5))) else {
                    continue
                }
                realms.append(realm)
            }
        }
        return realms.sorted { "\($0)" < "\($1)" }
    }
}
