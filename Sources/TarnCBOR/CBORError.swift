/// Why bytes are not the CBOR that was asked for.
package struct CBORError: Error, Equatable {
    package enum Code: Sendable {
        /// The bytes end inside an item.
        case truncated
        /// Another type stands where one was expected.
        case unexpectedType
        /// A form that RFC 8949 forbids, or one that Tarn does not speak (indefinite lengths,
        /// half-width floats as integers, reserved additional information).
        case malformed
        /// An integer does not fit the type that was asked for.
        case outOfRange
        /// A text string is not UTF-8.
        case notUTF8
        /// A length, count or depth above the reader's limits.
        case tooLarge
        /// Bytes are left where the last item should have ended them.
        case trailingBytes
    }

    package let code: Code
    /// Offset of the item's first byte from the start of the bytes.
    package let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension CBORError: CustomStringConvertible {
    package var description: String { "CBOR is \(code) at byte \(offset)" }
}
