import TarnModel

/// Which objects came into a view, left it or changed in it lately, so that the difference for a
/// session that fell behind costs what changed rather than what the view holds. Past a limit the
/// oldest are forgotten.
struct RecentChanges {
    private var entries: [(version: Version, objects: [ObjectID], byteCount: Int)] = []
    private var count = 0
    /// What happened above this version is all there.
    private var floor: Version

    private let limit: Int

    init(since version: Version, limit: Int) {
        floor = version
        self.limit = limit
    }

    /// - Parameter byteCount: what it takes to tell of it.
    mutating func add(_ objects: [ObjectID], at version: Version, byteCount: Int) {
        entries.append((version, objects, byteCount))
        count += objects.count + 1
        guard count > limit else { return }
        // Half of them at once, so that forgetting costs little a change.
        var dropped = 0
        while count > limit / 2, dropped < entries.count {
            count -= entries[dropped].objects.count + 1
            floor = entries[dropped].version
            dropped += 1
        }
        entries.removeFirst(dropped)
    }

    /// At most how many objects are remembered above a version, and about how many bytes it takes
    /// to tell of them; nil where not all are.
    func extent(since version: Version) -> (objects: Int, bytes: Int)? {
        guard version >= floor else { return nil }
        var extent = (objects: 0, bytes: 0)
        for entry in entries.reversed() {
            guard entry.version > version else { break }
            extent.objects += entry.objects.count
            extent.bytes += entry.byteCount
        }
        return extent
    }

    /// Nil where not everything above that version is remembered.
    func objects(since version: Version) -> [ObjectID]? {
        guard version >= floor else { return nil }
        var objects: Set<ObjectID> = []
        for entry in entries.reversed() {
            guard entry.version > version else { break }
            objects.formUnion(entry.objects)
        }
        return objects.sorted()
    }
}
