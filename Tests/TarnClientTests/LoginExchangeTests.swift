import TarnClient
import TarnProtocol
import Testing

struct LoginExchangeTests {
    private let now = Moment(wall: 9, steady: 0)
    private let password = Credentials.password(name: "alice", password: "secret 9", register: true)

    private func hear(_ exchange: inout LoginExchange, _ message: ServerMessage)
        -> LoginExchange.Step
    {
        exchange.received(message.encoded())
    }

    private func greeted(_ goal: LoginExchange.Goal) -> LoginExchange {
        var exchange = LoginExchange(goal)
        let hello = ClientMessage.hello(versions: [1], clock: 9, program: "test")
        #expect(exchange.connected(program: "test", at: now) == .send(hello.encoded()))
        return exchange
    }

    @Test func `a login answers the user and the token`() {
        var exchange = greeted(.login(password))

        let login = hear(&exchange, .welcome(version: 1, clock: 0))
        #expect(login == .send(ClientMessage.login(password).encoded()))
        let done = hear(&exchange, .loggedIn(user: "alice", token: "t"))
        #expect(done == .loggedIn(user: "alice", token: "t"))
    }

    @Test func `a logout logs in by the token that it ends`() {
        var exchange = greeted(.logout(token: "t"))

        let login = hear(&exchange, .welcome(version: 1, clock: 0))
        #expect(login == .send(ClientMessage.login(.token("t")).encoded()))
        let logout = hear(&exchange, .loggedIn(user: "alice", token: nil))
        #expect(logout == .send(ClientMessage.logout.encoded()))
        #expect(hear(&exchange, .loggedOut) == .loggedOut)
    }

    @Test func `a refusal is told as the server says it`() {
        var exchange = greeted(.login(password))
        let error = ProtocolError(.nameTaken, "There is an alice already.")
        _ = hear(&exchange, .welcome(version: 1, clock: 0))

        #expect(hear(&exchange, .failed(nil, error)) == .failed(error))
    }

    @Test func `what cannot be understood ends the exchange`() {
        var exchange = greeted(.login(password))

        guard case .failed(let error) = exchange.received([1, 2, 3]) else {
            Issue.record("it went on")
            return
        }
        #expect(error.code == .protocolViolation)
        let step = hear(&exchange, .welcome(version: 1, clock: 0))
        #expect(step != .send(ClientMessage.login(password).encoded()))
    }
}
