extension String {
    /// The text as it may be shown: whatever could move the cursor, begin a control sequence, end
    /// the line or turn the direction of writing stands there as `\u{1B}`, `\n` and so on.
    ///
    /// Text of others goes to a terminal by no other way. Joiners stay, since emoji and several
    /// scripts need them; a joiner alone does nothing.
    package var escaped: String {
        guard unicodeScalars.contains(where: \.isUnshowable) else { return self }
        var shown = ""
        for scalar in unicodeScalars {
            if scalar.isUnshowable {
                shown += scalar.escapeSequence
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}

extension Unicode.Scalar {
    /// Controls (C0, DEL, C1), directional and other invisible formats, and line ends.
    var isUnshowable: Bool {
        if value >= 0x20, value < 0x7F { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return value != 0x200C && value != 0x200D
        default: return false
        }
    }

    fileprivate var escapeSequence: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(value, radix: 16, uppercase: true))}"
        }
    }
}
