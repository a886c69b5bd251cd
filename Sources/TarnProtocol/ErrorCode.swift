/// What went wrong, as a number that programs can act on. Numbers are never reused.
package enum ErrorCode: UInt64, Sendable, CaseIterable {
    /// A message that is not well-formed, or not allowed at that point.
    case protocolViolation = 1
    /// No version that both sides speak.
    case versionUnsupported = 2
    /// Something was asked for that needs a login first.
    case notLoggedIn = 3
    /// The name, password or token is not right.
    case loginRefused = 4
    /// That kind of login is switched off on this server.
    case providerDisabled = 5
    /// A user of that name is registered already.
    case nameTaken = 6
    /// A user or realm cannot be called so, or the password is too short.
    case nameInvalid = 7
    /// The user may not open the realm, or there is none; which of them is not told.
    case realmRefused = 8
    /// The replica's history and the server's memory of it differ: a copied folder, a restored
    /// disk.
    case forked = 9
    /// What the replica has integrated is not of this server's history: the server was restored
    /// from an older backup.
    case rewound = 10
    /// Transactions are missing between the last one known and this one.
    case sequenceGap = 11
    /// A later session of the same replica has taken over.
    case fenced = 12
    /// The query cannot be answered; the sentence says why.
    case queryInvalid = 13
    case tooLarge = 14
    /// The server cannot take more just now.
    case overloaded = 15
    /// The server's storage does not work: its disk is full or failing.
    case storageFailed = 16
    case shuttingDown = 17
    /// The channel is not open, or is open already.
    case channelInvalid = 18
}

extension ErrorCode {
    /// Whether the same request may succeed later, without anybody changing it.
    package var isTransient: Bool {
        switch self {
        case .overloaded, .storageFailed, .shuttingDown: true
        default: false
        }
    }
}
