package import TarnModel

extension Text {
    /// What `[c]` compares: each Unicode scalar's lowercase mapping, one by one, so that it depends
    /// on no language and on no neighbours ("İ" becomes "i" and a dot above, "Σ" always "σ").
    package var folded: Text {
        if withBytes({ !Self.mayFold($0) }) { return self }
        var folded = ""
        folded.reserveCapacity(string.utf8.count)
        for scalar in string.unicodeScalars {
            if scalar.isASCII {
                let isUpper = (0x41...0x5A).contains(scalar.value)
                folded.unicodeScalars.append(
                    isUpper ? Unicode.Scalar(UInt8(scalar.value + 0x20)) : scalar)
            } else {
                folded.unicodeScalars.append(
                    contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return Text(folded)
    }

    /// Whether folding could change a text with these bytes: false for ASCII without capitals.
    package static func mayFold(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        utf8.contains { $0 >= 0x80 || (0x41...0x5A).contains($0) }
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = string.utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = string
        return copy.withUTF8(body)
    }
}
