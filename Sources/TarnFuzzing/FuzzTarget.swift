/// One thing that reads bytes of strangers, and what must hold for every input.
package struct FuzzTarget: Sendable {
    package let name: String
    package let about: String
    /// Longer inputs say nothing that shorter ones do not.
    package let byteCountMax: Int
    /// One input is a whole conversation, and takes as long as tens of others.
    package let isLong: Bool
    private let body: @Sendable (_ input: [UInt8]) throws(BrokenLaw) -> Void

    init(
        _ name: String, _ about: String, byteCountMax: Int = 4096,
        isLong: Bool = false,
        _ body: @escaping @Sendable (_ input: [UInt8]) throws(BrokenLaw) -> Void
    ) {
        self.name = name
        self.about = about
        self.byteCountMax = byteCountMax
        self.isLong = isLong
        self.body = body
    }

    /// Does with the input what a stranger could make us do with it. Whatever the bytes are, it
    /// returns, soon, and throws nothing.
    package func run(_ input: [UInt8]) throws(BrokenLaw) { try body(input) }

    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    package static let all: [FuzzTarget] = [
        FuzzTarget("frames", "WebSocket frames, of both roles", WebSocketFuzz.run),
        FuzzTarget("http-request", "what a client says first", UpgradeFuzz.request),
        FuzzTarget("http-answer", "what a server answers to it", UpgradeFuzz.answer),
        FuzzTarget("cbor", "CBOR items of any shape", byteCountMax: 1024, CBORFuzz.run),
        FuzzTarget("client-message", "messages to the server", CodingFuzz.clientMessage),
        FuzzTarget("server-message", "messages to the client", CodingFuzz.serverMessage),
        FuzzTarget("upload", "sealed transactions and their bodies", CodingFuzz.upload),
        FuzzTarget("transaction", "bodies of transactions", CodingFuzz.transaction),
        FuzzTarget("group", "groups with their views", CodingFuzz.group),
        FuzzTarget("delta", "what happened to a view", CodingFuzz.delta),
        FuzzTarget("log-record", "records of the commit log", CodingFuzz.logRecord),
        FuzzTarget("parts", "long byte strings in parts", byteCountMax: 1024, PartFuzz.run),
        FuzzTarget("query", "the text of queries", byteCountMax: 1024, QueryFuzz.run),
        FuzzTarget(
            "text", "times, names and addresses as people write them", byteCountMax: 128,
            TextFuzz.run),
        FuzzTarget(
            "realm", "conversations with a server's engines", byteCountMax: 1024, isLong: true,
            RealmFuzz.run),
        FuzzTarget(
            "replica", "conversations with a client's engine", byteCountMax: 1024, isLong: true,
            ReplicaFuzz.run),
    ]
}

extension FuzzTarget: CustomStringConvertible {
    package var description: String { name }
}
