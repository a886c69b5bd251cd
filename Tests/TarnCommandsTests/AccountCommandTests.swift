import Tarn
import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

struct AccountCommandTests {
    let desk = Desk(user: nil)

    @Test func `a login brings the classes and the subscription`() throws {
        desk.environment["TARN_PASSWORD"] = "secret words"

        let result = desk.tarn("login", "bob", "--server", "example.org:1", "--ca", "ca.pem")

        #expect(result.status == 0)
        #expect(result.output == "Logged in as bob at example.org:1\n")
        #expect(
            desk.profile.requests == [
                LoginRequest(
                    kind: .password("secret words"), user: "bob", server: "example.org:1",
                    trust: .authority("ca.pem"))
            ])
        let (classes, subscriptions) = try desk.realm("bob/todo").replica.read {
            ($0.schema.classes, try $0.subscriptions().map(\.name))
        }
        #expect(classes == TodoSchema.classes)
        #expect(subscriptions == ["my-projects"])
    }

    @Test func `logging in again writes nothing new`() throws {
        desk.environment["TARN_PASSWORD"] = "x"
        desk.tarn("login", "bob", "--server", "h")
        let before = try desk.realm("bob/todo").replica.read { try $0.status().chain }

        #expect(desk.tarn("login", "bob", "--server", "h").status == 0)

        #expect(try desk.realm("bob/todo").replica.read { try $0.status().chain } == before)
    }

    @Test func `a new user types the password twice`() throws {
        desk.terminal.canAsk = true
        desk.terminal.answers = ["one", "two"]
        #expect(desk.tarn("register", "bob", "--server", "h").status == 65)
        #expect(desk.profile.requests.isEmpty)

        desk.terminal.answers = ["one", "one"]
        #expect(desk.tarn("register", "bob", "--server", "h").status == 0)
        #expect(desk.profile.requests.map(\.kind) == [.register(password: "one")])
    }

    @Test func `a password comes from the standard input, and a nickname needs none`() {
        desk.terminal.answers = ["from a pipe"]
        desk.tarn("login", "bob", "--server", "h", "--password-stdin")
        desk.tarn("login", "bob", "--server", "h", "--nickname")

        #expect(desk.profile.requests.map(\.kind) == [.password("from a pipe"), .nickname])
    }

    @Test func `an unknown certificate is shown, and trusted only by a yes`() {
        desk.environment["TARN_PASSWORD"] = "x"
        desk.profile.unknownFingerprint = "AB:CD"

        let unasked = desk.tarn("login", "bob", "--server", "h")
        #expect(unasked.status == 64)
        #expect(unasked.errors.contains("  AB:CD\n"))
        #expect(!unasked.errors.contains("\\n"))
        #expect(unasked.errors.contains("  Nobody can answer here: "))

        desk.terminal.canAsk = true
        desk.terminal.answers = ["n"]
        #expect(desk.tarn("login", "bob", "--server", "h").status == 78)
        #expect(desk.profile.present == nil)

        desk.terminal.answers = ["yes"]
        #expect(desk.tarn("login", "bob", "--server", "h").status == 0)
        #expect(desk.terminal.questions.first?.contains("AB:CD") == true)
    }

    @Test func `whoami and logout know who it is`() {
        desk.environment["TARN_PASSWORD"] = "x"
        desk.tarn("login", "bob", "--server", "h:1")

        #expect(desk.tarn("whoami").output == "bob at h:1\n")
        #expect(
            desk.tarn("whoami", "--json").output
                == "{\"type\":\"account\",\"user\":\"bob\",\"server\":\"h:1\"}\n")
        #expect(desk.tarn("logout").output == "Logged out bob\n")
        #expect(desk.tarn("whoami").status == 77)
    }

    @Test func `a logout that would lose work asks, or wants --force`() {
        desk.environment["TARN_PASSWORD"] = "x"
        desk.tarn("login", "bob", "--server", "h:1")
        desk.profile.hasUnsentWork = true

        #expect(desk.tarn("logout").status == 75)
        desk.terminal.canAsk = true
        desk.terminal.answers = ["n"]
        #expect(desk.tarn("logout").status == 1)
        #expect(desk.profile.present != nil)
        #expect(desk.tarn("logout", "--force").status == 0)
        #expect(desk.profile.present == nil)
    }

    @Test(arguments: [
        (TarnError.Code.cannotConnect, Int32(69)), (.loginRefused, 77), (.providerDisabled, 77),
        (.nameTaken, 77), (.certificateRefused, 78), (.serverInvalid, 64), (.diskFull, 74),
        (.replicaBusy, 75), (.systemFailed, 71),
    ])
    func `what the library refuses has its exit code`(code: TarnError.Code, status: Int32) {
        desk.environment["TARN_PASSWORD"] = "x"
        desk.profile.loginError = TarnError(code, "it went wrong", advice: "Do better.")

        let result = desk.tarn("login", "bob", "--server", "h")

        #expect(result.status == status)
        #expect(result.errors == "tarn: it went wrong. Do better.\n")
    }
}
