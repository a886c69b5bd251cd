/// Colours and other looks, where the output has them.
package struct Paint: Sendable {
    package enum Look: String, Sendable {
        case bold = "1"
        case dim = "2"
        /// Dimmed and struck through.
        case finished = "2;9"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
    }

    package let isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    /// The text, which must be `escaped`, in that look.
    package func callAsFunction(_ look: Look, _ text: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
    }
}
