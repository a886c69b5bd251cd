/// Why storage could not do what it was asked.
package struct StorageError: Error, Equatable {
    package enum Code: Sendable {
        /// No room is left on the disk.
        case full
        /// What is stored is not what was written, or was written by a newer program.
        case corrupt
        /// Somebody else holds the file, or the lease was lost.
        case busy
        /// The file system refused: not there, not allowed, failing.
        case unavailable
    }

    package let code: Code
    /// What was being done, as in "while opening the commit log".
    package let operation: String
    /// What the layer below said.
    package let cause: String

    package init(_ code: Code, while operation: String, cause: String = "") {
        self.code = code
        self.operation = operation
        self.cause = cause
    }
}

extension StorageError: CustomStringConvertible {
    package var description: String {
        let problem =
            switch code {
            case .full: "the disk is full"
            case .corrupt: "the stored data cannot be understood"
            case .busy: "somebody else is using it"
            case .unavailable: "the storage does not work"
            }
        return "\(problem) while \(operation)" + (cause.isEmpty ? "" : " (\(cause))")
    }
}
