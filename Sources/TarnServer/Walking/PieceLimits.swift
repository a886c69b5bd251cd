/// How much of a large download is said, and thought of, at once. Simulations have it small, so
/// that little data is much.
package struct PieceLimits: Hashable, Sendable {
    /// Objects and bytes that a group of a series says.
    package var objectsAGroup: Int
    package var bytesAGroup: Int
    /// Objects that all sessions together go through in a turn: some ten milliseconds.
    package var objectsATurn: Int
    /// Objects that came into a view, left it or changed in it lately, and that it remembers for
    /// sessions that fall behind. Who is farther behind is told in pieces.
    package var recentObjects: Int

    package static let standard = PieceLimits(
        objectsAGroup: 500, bytesAGroup: 512 << 10, objectsATurn: 500, recentObjects: 16_384)

    package init(objectsAGroup: Int, bytesAGroup: Int, objectsATurn: Int, recentObjects: Int) {
        self.objectsAGroup = objectsAGroup
        self.bytesAGroup = bytesAGroup
        self.objectsATurn = objectsATurn
        self.recentObjects = recentObjects
    }
}
