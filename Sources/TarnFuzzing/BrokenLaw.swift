/// An input for which something did not hold that must hold for every input.
package struct BrokenLaw: Error, Equatable {
    package let sentence: String
}

extension BrokenLaw: CustomStringConvertible {
    package var description: String { sentence }
}

func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(BrokenLaw) {
    guard !holds else { return }
    throw BrokenLaw(sentence: otherwise())
}
