import TarnTransport

/// One side without a socket, with all that it has understood.
final class TLSSide {
    let session: TLSSession
    var state = TLSSession.State.handshaking
    var plain: [UInt8] = []
    var error: TransportError?
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 8)

    init(_ session: consuming TLSSession) {
        self.session = session
    }

    var isResumed: Bool { session.isResumed }

    deinit {
        scratch.deallocate()
    }

    func receive(_ bytes: [UInt8]) {
        guard error == nil else { return }
        do {
            state = try bytes.withUnsafeBytes { bytes in
                try session.receive(bytes, scratch: scratch) { plain += $0 }
            }
        } catch {
            self.error = error as? TransportError
        }
    }

    /// At most `limit` bytes of what is to go to the network.
    func take(_ limit: Int = .max) -> [UInt8] {
        var taken: [UInt8] = []
        session.takeOutput { bytes in
            taken = Array(bytes.prefix(limit))
            return taken.count
        }
        return taken
    }

    func send(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            try session.send(bytes, scratch: scratch) { _ in 0 }
        }
    }

    /// Until neither has anything more to say.
    func exchange(with other: TLSSide, pieces: Int = .max) {
        while session.outputCount + other.session.outputCount > 0 {
            other.receive(take(pieces))
            receive(other.take(pieces))
        }
    }
}
