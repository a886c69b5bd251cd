import TarnModel
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// What every account store promises.
struct AccountStoreTests {
    private let folder = TemporaryFolder()
    private let password = PasswordHash(
        salt: [1, 2], hash: [3, 4], cost: 32768, blockSize: 8, parallelism: 1)

    @Test(arguments: StoreKind.allCases)
    func `accounts are created once and listed by id`(kind: StoreKind) throws {
        let store = try kind.accountStore(in: folder)
        let bea = Account(id: "bea", password: password)
        let al = Account(id: "al", password: nil)

        #expect(try store.create(bea))
        #expect(try store.create(al))
        #expect(try !store.create(Account(id: "bea", password: nil)))

        #expect(try store.account("bea") == bea)
        #expect(try store.account("cy") == nil)
        #expect(try store.accounts() == [al, bea])
    }

    @Test(arguments: StoreKind.allCases)
    func `a password is replaced`(kind: StoreKind) throws {
        let store = try kind.accountStore(in: folder)
        _ = try store.create(Account(id: "al", password: nil))

        try store.setPassword(password, of: "al")
        try store.setPassword(password, of: "nobody")

        #expect(try store.account("al")?.password == password)
        #expect(try store.account("nobody") == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `a token is its user's until it is removed`(kind: StoreKind) throws {
        let store = try kind.accountStore(in: folder)
        _ = try store.create(Account(id: "al", password: nil))

        try store.addToken([1], of: "al")
        try store.addToken([2], of: "al")
        try store.removeToken([1])

        #expect(try store.user(ofToken: [1]) == nil)
        #expect(try store.user(ofToken: [2]) == "al")
        #expect(try store.user(ofToken: []) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `an account takes its tokens with it, and leaves its realms`(kind: StoreKind) throws {
        let store = try kind.accountStore(in: folder)
        let name = try #require(RealmName("al/todo"))
        let id = try #require(RealmID(bytes: Array(1...16)))
        _ = try store.create(Account(id: "al", password: nil))
        try store.addToken([1], of: "al")
        try store.addToken([2], of: "bea")
        _ = try store.createRealm(name, id: id)

        #expect(try store.remove("al"))
        #expect(try !store.remove("al"))

        #expect(try store.account("al") == nil)
        #expect(try store.user(ofToken: [1]) == nil)
        #expect(try store.user(ofToken: [2]) == "bea")
        #expect(try store.realm(name) == id)
    }

    @Test(arguments: StoreKind.allCases)
    func `a realm's name is given once`(kind: StoreKind) throws {
        let store = try kind.accountStore(in: folder)
        let todo = try #require(RealmName("bea/todo"))
        let notes = try #require(RealmName("al/notes"))
        let id = try #require(RealmID(bytes: Array(1...16)))
        let second = try #require(RealmID(bytes: Array(2...17)))

        #expect(try store.createRealm(todo, id: id))
        #expect(try !store.createRealm(todo, id: second))
        #expect(try store.createRealm(notes, id: second))

        #expect(try store.realm(todo) == id)
        #expect(try store.realms().map(\.name) == [notes, todo])
        #expect(try store.realms().map(\.id) == [second, id])
    }

    @Test func `two programs have the accounts open at once`() throws {
        let daemon = try SQLiteAccountStore(path: folder.file("accounts.db"))
        let command = try SQLiteAccountStore(path: folder.file("accounts.db"))

        _ = try command.create(Account(id: "al", password: password))

        #expect(try daemon.account("al")?.password == password)
        #expect(try daemon.remove("al"))
        #expect(try command.accounts().isEmpty)
    }
}
