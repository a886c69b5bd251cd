package import TarnModel
package import TarnStorage

/// How much of a realm's past is kept: at most so old, at most so many, at most so large. What is
/// past one of them goes, whatever the others say.
package struct HistoryPolicy: Equatable, Sendable {
    /// Versions that are older are forgotten, with the deletes in them.
    package var days = 30
    /// Versions beyond the last so many, too.
    package var versions = 100_000
    /// Records in the commit log beyond so many bytes are not kept; deletes are.
    package var bytes = 256 << 20

    package init() {}

    /// What the commit log forgets of a realm whose store holds a version, and a floor, synced.
    package func logTrim(synced: Version, floor: Version) -> LogTrim {
        LogTrim(synced: synced, floor: floor, bytesMax: bytes)
    }
}
