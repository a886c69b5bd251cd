package import TarnCBOR

/// Why bytes are not the record that they should be.
package struct FormatError: Error, Equatable {
    /// What was read, as a noun: "transaction", "group".
    package let reading: String
    package let fault: Fault

    package enum Fault: Equatable, Sendable {
        case cbor(CBORError)
        /// The sentence says what is wrong.
        case content(String)
    }

    package init(reading: String, _ fault: Fault) {
        self.reading = reading
        self.fault = fault
    }
}

extension FormatError: CustomStringConvertible {
    package var description: String {
        switch fault {
        case .cbor(let error): "the \(reading) is not well-formed: \(error)"
        case .content(let sentence): "the \(reading) is not valid: \(sentence)"
        }
    }
}
