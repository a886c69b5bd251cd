package import TarnClient
package import TarnProtocol
package import TarnStorage
package import TarnTransport

/// Why Tarn did not do what it was asked, for a person to read.
package struct TarnError: Error, Equatable {
    package enum Code: String, Sendable, CaseIterable {
        // What was asked for.
        case nameInvalid
        case serverInvalid
        /// A write, query, subscription or password that makes no sense here.
        case requestInvalid
        // Who asks.
        case notLoggedIn
        case alreadyLoggedIn
        case loginRefused
        case providerDisabled
        case nameTaken
        /// Work that no server has would be lost.
        case unsentWork
        // The way to the server.
        case cannotConnect
        /// Nobody vouches for the server's certificate, or it is another than before.
        case certificateRefused
        case serverRefused
        // What is kept here.
        case accountCorrupt
        case folderUnusable
        case diskFull
        case replicaCorrupt
        case replicaBusy
        case replicaUnusable
        /// The replica file is not there any more: its user has logged out.
        case replicaGone
        case systemFailed
    }

    package let code: Code
    /// What was tried and why it failed. It ends with a full stop.
    package let sentence: String
    /// What to do about it; nil where the sentence says enough.
    package let advice: String?

    package init(_ code: Code, _ sentence: String, advice: String? = nil) {
        self.code = code
        self.sentence = sentence.hasSuffix(".") ? sentence : sentence + "."
        self.advice = advice
    }
}

extension TarnError: CustomStringConvertible {
    package var description: String { advice.map { "\(sentence) \($0)" } ?? sentence }
}

extension TarnError {
    package init(_ error: ReplicaError) {
        if let cause = error.cause {
            self.init(cause)
            return
        }
        switch error.code {
        case .notOwn:
            self.init(
                .replicaUnusable, error.sentence,
                advice: "Another user needs a profile of their own: --profile NAME.")
        case .forked, .misfit, .leaseLost, .storage:
            self.init(.replicaUnusable, error.sentence)
        case .unknownName, .wrongType, .keyExists, .objectGone, .indexOutOfRange, .unresolvedLink,
            .limitExceeded, .schemaConflict, .nameTaken, .queryInvalid, .heldTwice, .notUnique,
            .nothingToUndo, .nothingToRetry:
            self.init(.requestInvalid, error.sentence)
        }
    }

    package init(_ error: StorageError) {
        switch error.code {
        case .full:
            self.init(
                .diskFull, error.description,
                advice: "Make room on the disk; nothing that was there is lost.")
        case .corrupt:
            self.init(
                .replicaCorrupt, error.description,
                advice: "A newer program may have written it; otherwise move the file away, and "
                    + "it is fetched anew.")
        case .busy:
            self.init(.replicaBusy, error.description, advice: "Try again.")
        case .unavailable: self.init(.replicaUnusable, error.description)
        }
    }

    package init(_ error: ProtocolError) {
        let code: Code =
            switch error.code {
            case .loginRefused, .notLoggedIn: .loginRefused
            case .providerDisabled: .providerDisabled
            case .nameTaken: .nameTaken
            case .nameInvalid: .nameInvalid
            default: .serverRefused
            }
        self.init(code, error.sentence, advice: error.advice)
    }

    package init(_ error: TransportError) {
        switch error.code {
        case .untrustedCertificate, .wrongHostName, .certificateExpired, .certificateNotYetValid:
            self.init(
                .certificateRefused, error.sentence,
                advice: "Name the authority that vouches for it (--ca FILE), or compare its "
                    + "fingerprint and pin it.")
        case .wrongFingerprint:
            self.init(
                .certificateRefused, error.sentence,
                advice: "Ask whoever runs the server whether its certificate is new; if it is, "
                    + "log in again and pin the new one.")
        case .badCredentials, .systemFailure:
            self.init(.systemFailed, error.sentence)
        case .badAddress: self.init(.serverInvalid, error.sentence)
        case .messageTooLong: self.init(.requestInvalid, error.sentence)
        case .upgradeRefused, .notWebSocket, .protocolViolation:
            self.init(
                .serverRefused, error.sentence, advice: "Is it a tarnd that answers there?")
        case .addressInUse, .nameNotFound, .unreachable, .timedOut, .peerVanished, .peerTooSlow,
            .secureSessionFailed, .cancelled:
            self.init(.cannotConnect, error.sentence)
        }
    }

    /// What a body given to `read` or `write` threw.
    package init(anything error: any Error) {
        switch error {
        case let error as TarnError: self = error
        case let error as ReplicaError: self.init(error)
        case let error as StorageError: self.init(error)
        case let error as ProtocolError: self.init(error)
        case let error as TransportError: self.init(error)
        default: self.init(.replicaUnusable, "\(error)")
        }
    }
}
