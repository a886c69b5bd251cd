import TarnProtocol

extension ErrorCode {
    /// Whether the same would happen again until somebody does something about it.
    var endsSynchronisation: Bool {
        switch self {
        case .versionUnsupported, .providerDisabled, .nameTaken, .nameInvalid, .realmRefused,
            .forked, .rewound, .fenced, .tooLarge, .queryInvalid:
            true
        case .notLoggedIn, .loginRefused, .protocolViolation, .sequenceGap, .overloaded,
            .storageFailed, .shuttingDown,
            .channelInvalid:
            false
        }
    }
}
