/// An entry of a set or map that is there: a set's is the element, and holds true.
package struct Entry: Hashable, Sendable {
    package let entry: Value
    package let value: Value

    package init(entry: Value, value: Value) {
        self.entry = entry
        self.value = value
    }
}

/// What happened to one entry of a set or map.
package struct EntryChange: Hashable, Sendable {
    package let entry: Value
    /// Nil where it is not there any more.
    package let value: Value?

    package init(entry: Value, value: Value?) {
        self.entry = entry
        self.value = value
    }
}
