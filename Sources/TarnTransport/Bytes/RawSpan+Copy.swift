extension [UInt8] {
    /// A copy of bytes that will not stay.
    package init(copying bytes: RawSpan) {
        self = bytes.withUnsafeBytes { Array($0) }
    }
}
