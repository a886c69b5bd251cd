package import TarnStorage

/// Why a replica did not do what it was asked. Nothing of it was done.
package struct ReplicaError: Error, Equatable {
    package enum Code: Sendable {
        /// A class, property or subscription that there is not.
        case unknownName
        /// A value or key is not of the type that the schema says, or a list is taken for a value.
        case wrongType
        /// An object with that key is there already.
        case keyExists
        /// The object is not there, or not any more.
        case objectGone
        /// A list has no such place.
        case indexOutOfRange
        /// A link to an object that is not here cannot be written.
        case unresolvedLink
        /// A part of something has two places, or none.
        case heldTwice
        /// Another object has that value of a unique property.
        case notUnique
        /// The sentence has the figure.
        case limitExceeded
        /// A class is defined otherwise already.
        case schemaConflict
        /// A subscription of that name has another query.
        case nameTaken
        case queryInvalid
        /// No such transaction can be set back.
        case nothingToUndo
        /// The store belongs to another user or realm.
        case notOwn
        /// The server's memory of this replica is another one's.
        case forked
        /// There is nothing that could be tried again.
        case nothingToRetry
        /// What the server sent does not fit what it sent before, or makes no sense.
        case misfit
        /// Another process has taken over the synchronisation.
        case leaseLost
        case storage
    }

    package let code: Code
    /// What was tried and why it failed, without a full stop.
    package let sentence: String
    /// What the storage said, where it failed.
    package let cause: StorageError?

    package init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
        cause = nil
    }

    package init(_ cause: StorageError) {
        code = .storage
        sentence = cause.description
        self.cause = cause
    }

    /// What an engine's inner part threw, as what the engine promises to throw.
    init(_ error: any Error) {
        switch error {
        case let error as ReplicaError: self = error
        case let error as StorageError: self.init(error)
        default: self.init(.misfit, "\(error)")
        }
    }
}

extension ReplicaError: CustomStringConvertible {
    package var description: String { sentence }
}
