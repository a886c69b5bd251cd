import TarnProtocol
import TarnServer

/// What a realm has for one of its sessions: a message's bytes, or the word that the session is
/// over.
struct Delivery: Sendable {
    let session: RealmSessionID
    let bytes: [UInt8]
    /// What it has taken of the connection's room.
    let takenByteCount: Int
    let isEnd: Bool

    init(_ message: ServerMessage, to session: RealmSessionID) {
        self.session = session
        bytes = message.encoded()
        takenByteCount = if case .group(_, let part) = message { part.bytes.count } else { 0 }
        isEnd = false
    }

    init(endOf session: RealmSessionID) {
        self.session = session
        bytes = []
        takenByteCount = 0
        isEnd = true
    }
}
