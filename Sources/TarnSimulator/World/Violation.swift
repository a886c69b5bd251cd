/// A law that did not hold.
package struct Violation: Error, Equatable {
    package enum Law: String, Sendable {
        case agreement, durability, atomicity, exactness
        /// Each transaction is decided once, and what became of it is told truly.
        case receipts
        /// No engine takes the other for a liar.
        case peace
        /// What is connected comes to rest with all work done.
        case progress
    }

    package let law: Law
    /// What was found.
    package let sentence: String
    /// The two sides of the difference, where there are two.
    package let sides: [String]

    init(_ law: Law, _ sentence: String, _ sides: String...) {
        self.init(law, sentence, sides)
    }

    init(_ law: Law, _ sentence: String, _ sides: [String]) {
        self.law = law
        self.sentence = sentence
        self.sides = sides
    }
}

extension Violation: CustomStringConvertible {
    package var description: String {
        (["\(law): \(sentence)"] + sides.map { "    " + $0 }).joined(separator: "\n")
    }
}
