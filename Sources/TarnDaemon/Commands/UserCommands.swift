import CLinux
import Glibc
import TarnModel
import TarnProtocol
import TarnSQLite
import TarnServer
import TarnStorage

/// `tarnd user add|list|remove`. They open the accounts themselves, whether a daemon runs or not.
struct UserCommands {
    let environment: [String: String]

    func run(_ words: [String]) -> ExitStatus {
        var words = words
        let folder: String
        do throws(ConfigurationError) {
            folder = try takeFolder(from: &words)
        } catch {
            DaemonProgram.complain(error.sentence)
            return .usage
        }
        switch (words.first, words.dropFirst().first, words.count) {
        case ("add", let name?, 2):
            return withAccounts(in: folder) { accounts in try add(name, to: accounts) }
        case ("list", nil, 1):
            return withAccounts(in: folder) { accounts throws(StorageError) in
                for account in try accounts.accounts() {
                    let kind = account.password == nil ? "nickname" : "password"
                    DaemonProgram.say("\(account.id)\t\(kind)", to: STDOUT_FILENO)
                }
                return .success
            }
        case ("remove", let name?, 2):
            return withAccounts(in: folder) { accounts throws(StorageError) in
                guard try accounts.remove(name) else {
                    DaemonProgram.complain("there is no user \(name)")
                    return .data
                }
                DaemonProgram.say("Removed \(name). The user's realms stay.", to: STDOUT_FILENO)
                return .success
            }
        default:
            DaemonProgram.complain("usage: tarnd user add NAME | list | remove NAME [--data DIR]")
            return .usage
        }
    }

    private func takeFolder(from words: inout [String]) throws(ConfigurationError) -> String {
        var flags: [String] = []
        if let index = words.firstIndex(of: "--data") {
            guard index + 1 < words.count else { throw ConfigurationError("--data needs a value") }
            flags = Array(words[index...index + 1])
            words.removeSubrange(index...index + 1)
        }
        return try DaemonProgram.read(flags, environment).dataFolder
    }

    private func withAccounts(
        in folder: String, _ body: (SQLiteAccountStore) throws -> ExitStatus
    ) -> ExitStatus {
        do {
            try DataFolder.make(folder)
            let accounts = try SQLiteAccountStore(path: DataFolder.accountsPath(in: folder))
            defer { accounts.close() }
            return try body(accounts)
        } catch DataFolder.Failure.unusable(let cause) {
            DaemonProgram.complain("the data folder cannot be used: \(cause)")
        } catch {
            DaemonProgram.complain("the accounts cannot be used: \(error)")
        }
        return .cannotCreate
    }

    private func add(_ name: String, to accounts: SQLiteAccountStore) throws -> ExitStatus {
        guard let password = askPassword() else {
            DaemonProgram.complain("no password was given")
            return .data
        }
        let authenticator = Authenticator(
            accounts: accounts, cryptography: .openSSL, providers: LoginProviders())
        if let fault = try authenticator.add(name, password: password) {
            DaemonProgram.complain(fault.sentence)
            return .data
        }
        DaemonProgram.say("Added \(name).", to: STDOUT_FILENO)
        return .success
    }

    /// From the terminal without showing it, or the first line of what is piped in.
    private func askPassword() -> String? {
        guard isatty(STDIN_FILENO) == 1 else {
            return TextFile.read(STDIN_FILENO)?.split(whereSeparator: \.isNewline).first
                .map(String.init)
        }
        _ = "Password: ".withCString { write(STDERR_FILENO, $0, strlen($0)) }
        var saved = termios()
        tcgetattr(STDIN_FILENO, &saved)
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSANOW, &saved)
            DaemonProgram.say("", to: STDERR_FILENO)
        }
        return readLine()
    }
}
