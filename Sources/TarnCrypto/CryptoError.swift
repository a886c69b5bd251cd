/// Why libcrypto did not do what it was asked. It never carries what was hashed.
package struct CryptoError: Error, Equatable {
    package enum Code: Sendable {
        case randomness
        case badParameters
        case outOfMemory
    }

    package let code: Code
    package let operation: String

    package init(_ code: Code, while operation: String) {
        self.code = code
        self.operation = operation
    }
}

extension CryptoError: CustomStringConvertible {
    package var description: String {
        switch code {
        case .randomness: "the system gave no random bytes while \(operation)"
        case .badParameters: "the parameters were refused while \(operation)"
        case .outOfMemory: "memory ran out while \(operation)"
        }
    }
}
