/// How far a connection is on its way to a WebSocket. An object of its own, so that its memory is
/// free once that is reached: of thousands of connections most are open.
final class Upgrading {
    var server: ServerUpgrade?
    var client: ClientUpgrade?
    let makeHandler: ((SecureConnection) -> (any ConnectionHandler)?)?

    init(
        server: ServerUpgrade, makeHandler: @escaping (SecureConnection) -> (any ConnectionHandler)?
    ) {
        self.server = server
        self.makeHandler = makeHandler
    }

    init(client: ClientUpgrade) {
        self.client = client
        makeHandler = nil
    }
}
