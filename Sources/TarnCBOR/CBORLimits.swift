/// What a reader refuses before it allocates.
package struct CBORLimits: Sendable {
    /// Arrays, maps and tags inside each other, when a value of unknown shape is skipped. Our own
    /// messages nest six deep; 32 leaves room for extensions and none for a stack overflow.
    package var depthMax: Int
    /// Bytes of one string: many times what a property may hold.
    package var stringBytesMax: Int

    package init(depthMax: Int = 32, stringBytesMax: Int = 16 << 20) {
        self.depthMax = depthMax
        self.stringBytesMax = stringBytesMax
    }
}
