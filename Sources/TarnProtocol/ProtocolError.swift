/// What one side tells the other of a failure.
package struct ProtocolError: Error, Hashable, Sendable {
    package let code: ErrorCode
    /// What was tried and failed, for a person; nothing that its reader may not know.
    package let sentence: String
    /// What to do about it; nil where the sentence says enough.
    package let advice: String?

    package init(_ code: ErrorCode, _ sentence: String, advice: String? = nil) {
        self.code = code
        self.sentence = sentence
        self.advice = advice
    }
}

extension ProtocolError: CustomStringConvertible {
    package var description: String { advice.map { "\(sentence) \($0)" } ?? sentence }
}
