package import Tarn
package import TarnClient
package import TarnQuery
import TarnStorage

/// Why a command did not do what it was asked: one sentence for a person, and how the program ends.
package struct CommandError: Error, Equatable {
    package let code: ExitCode
    /// Without a full stop. What others have written stands in it as it is: whoever prints the
    /// sentence escapes it.
    package let sentence: String
    /// More lines below it, such as the candidates for a name.
    package let details: [String]

    package init(_ code: ExitCode, _ sentence: String, details: [String] = []) {
        self.code = code
        self.sentence = sentence
        self.details = details
    }

    package init(_ error: ReplicaError) {
        if error.cause != nil {
            self.init(TarnError(error))
        } else {
            self.init(ExitCode(error.code), error.sentence)
        }
    }

    package init(_ error: TarnError) {
        self.init(ExitCode(error.code), error.description)
    }

    package init(_ error: QueryError) {
        self.init(.badData, error.description)
    }

    /// Whatever was thrown below, as what a person is told.
    package init(anything error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as ReplicaError: self.init(error)
        case let error as TarnError: self.init(error)
        case let error as QueryError: self.init(error)
        case let error as StorageError: self.init(TarnError(error))
        default: self.init(.defect, "\(error)")
        }
    }
}

extension ExitCode {
    init(_ code: ReplicaError.Code) {
        self =
            switch code {
            case .unknownName, .objectGone, .nothingToUndo, .nothingToRetry: .notFound
            case .wrongType, .keyExists, .indexOutOfRange, .unresolvedLink, .limitExceeded,
                .schemaConflict, .nameTaken, .queryInvalid, .heldTwice, .notUnique:
                .badData
            case .notOwn: .notAllowed
            case .forked, .misfit: .protocolBroken
            case .leaseLost: .tryAgain
            case .storage: .cannotStore
            }
    }
}

extension ExitCode {
    init(_ code: TarnError.Code) {
        self =
            switch code {
            case .serverInvalid: .usage
            case .nameInvalid, .requestInvalid: .badData
            case .cannotConnect, .serverRefused: .unavailable
            case .systemFailed: .systemFailed
            case .folderUnusable, .diskFull, .replicaCorrupt, .replicaUnusable: .cannotStore
            case .replicaBusy, .unsentWork: .tryAgain
            case .notLoggedIn, .alreadyLoggedIn, .loginRefused, .providerDisabled, .nameTaken,
                .replicaGone:
                .notAllowed
            case .certificateRefused, .accountCorrupt: .badConfiguration
            }
    }
}

/// Whoever read the output does not want any more of it.
package struct OutputClosed: Error {
    package init() {}
}
