internal import COpenSSL
internal import Glibc
internal import Synchronization

/// What a server seals its tickets with (RFC 5077, RFC 8446 section 4.6.1): the whole session is in
/// the ticket, and the client keeps it. The keys are random, never leave the process, and change:
/// one seals for a `period` and opens for another, so that a ticket is good for a period at least,
/// and none for more than two.
///
/// All threads of a server use the same, which is what the mutex is for.
package final class TicketKeys: Sendable {
    /// Half a night's sleep of a telephone. What was recorded of TLS 1.2 can be read by whoever
    /// gets the key of its ticket: so not for days. (With TLS 1.3 it cannot.)
    package static let defaultPeriod = Duration.seconds(4 * 3600)

    /// A name that goes with the ticket in the clear, a key for the cipher and one for the HMAC;
    /// wiped when the last reference goes. It is never changed, and so it is Sendable.
    private final class Key: @unchecked Sendable {
        static let nameByteCount = 16
        static let byteCount = nameByteCount + 64

        let bytes = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 1)
        let born: MonotonicTime

        /// Nil if there is no randomness.
        init?(born: MonotonicTime) {
            self.born = born
            guard
                RAND_bytes(
                    bytes.assumingMemoryBound(to: UInt8.self), Int32(Self.byteCount)) == 1
            else { return nil }
        }

        deinit {
            OPENSSL_cleanse(bytes, Self.byteCount)
            bytes.deallocate()
        }

        func isNamed(_ name: UnsafeRawPointer) -> Bool {
            memcmp(bytes, name, Self.nameByteCount) == 0
        }
    }

    private struct Pair {
        var current: Key?
        var previous: Key?
    }

    private let pair = Mutex(Pair())
    /// How long a ticket is good for, and how long its key seals.
    let period: Duration
    private let now: @Sendable () -> MonotonicTime

    package convenience init() {
        self.init(period: Self.defaultPeriod) { MonotonicTime.now() }
    }

    package init(period: Duration, now: @escaping @Sendable () -> MonotonicTime) {
        self.period = period
        self.now = now
    }

    /// The key to seal with; nil if there is no randomness.
    private func sealingKey() -> Key? {
        pair.withLock { pair in
            rotate(&pair)
            return pair.current
        }
    }

    private func openingKey(named name: UnsafeRawPointer) -> Key? {
        pair.withLock { pair in
            rotate(&pair)
            return [pair.current, pair.previous].lazy.compactMap { $0 }.first { $0.isNamed(name) }
        }
    }

    private func rotate(_ pair: inout Pair) {
        let now = now()
        if let current = pair.current, now < current.born + period { return }
        let isRecent = pair.current.map { now < $0.born + period * 2 } ?? false
        pair.previous = isRecent ? pair.current : nil
        pair.current = Key(born: now)
    }

    // MARK: - Joined to OpenSSL

    /// Sealed and opened with these keys from now on. They live as long as the context, which
    /// sessions keep beyond its owner.
    func use(in context: OpaquePointer) {
        SSL_CTX_set_ex_data(context, Self.place, Unmanaged.passRetained(self).toOpaque())
        SSL_CTX_set_tlsext_ticket_key_evp_cb(context) { ssl, name, iv, cipher, mac, isSealing in
            guard let name, let iv,
                let keys = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), TicketKeys.place)
            else { return -1 }
            return Unmanaged<TicketKeys>.fromOpaque(keys).takeUnretainedValue()
                .protect(
                    name: name, iv: iv, cipher, mac, isSealing: isSealing == 1,
                    isNew: SSL_version(ssl) == TLS1_3_VERSION)
        }
    }

    private static let place = CRYPTO_get_ex_new_index(
        CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil
    ) { _, keys, _, _, _, _ in
        if let keys { Unmanaged<TicketKeys>.fromOpaque(keys).release() }
    }

    /// In OpenSSL's words: -1 is a failure; 0 a ticket that is not ours (any more), after which the
    /// handshake is a full one; 1 success; 2 the same, and the client gets another ticket. With
    /// TLS 1.3 it needs one, since it uses each once.
    private func protect(
        name: UnsafeMutablePointer<UInt8>, iv: UnsafeMutablePointer<UInt8>,
        _ cipher: OpaquePointer?, _ mac: OpaquePointer?, isSealing: Bool, isNew: Bool
    ) -> Int32 {
        if isSealing {
            guard let key = sealingKey(), RAND_bytes(iv, 16) == 1 else { return -1 }
            memcpy(name, key.bytes, Key.nameByteCount)
            return use(key, iv, cipher, mac, isSealing: true) ? 1 : -1
        }
        guard let key = openingKey(named: name) else { return 0 }
        guard use(key, iv, cipher, mac, isSealing: false) else { return -1 }
        return isNew ? 2 : 1
    }

    private func use(
        _ key: Key, _ iv: UnsafeMutablePointer<UInt8>, _ cipher: OpaquePointer?,
        _ mac: OpaquePointer?, isSealing: Bool
    ) -> Bool {
        let secret = (key.bytes + Key.nameByteCount).assumingMemoryBound(to: UInt8.self)
        return tarn_ticket_protect(secret, iv, isSealing ? 1 : 0, cipher, mac) == 1
    }
}
