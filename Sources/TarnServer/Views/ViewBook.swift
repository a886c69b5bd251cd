import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage

/// The live views of one realm. A view that nobody listens to is not kept; when somebody comes back
/// to it, it is evaluated once and compared with its stored members.
struct ViewBook {
    let store: any RealmStore
    let contents: ViewContents
    let sha256: @Sendable ([UInt8]) -> [UInt8]
    private let recentObjects: Int
    private var views: [ViewKey: View] = [:]

    init(
        store: any RealmStore, sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        remembering recentObjects: Int
    ) {
        self.store = store
        self.recentObjects = recentObjects
        self.sha256 = sha256
        contents = ViewContents(store: store)
    }

    /// The view of that question, live from now on. Inside a storage transaction.
    mutating func listen(
        _ key: ViewKey, query: BoundQuery, by session: RealmSessionID
    ) throws(StorageError) -> View {
        let view: View
        if let live = views[key] { view = live } else { view = try revive(key, query) }
        views[key] = view
        view.add(session)
        return view
    }

    /// Ends a session's listening. Inside a storage transaction.
    mutating func leave(_ key: ViewKey, by session: RealmSessionID) throws(StorageError) {
        guard let view = views[key] else { return }
        view.remove(session)
        guard view.listeners.isEmpty else { return }
        try store.setMaintained(store.applied.version, of: view.number)
        views[key] = nil
    }

    /// The numbers of the views that somebody listens to.
    var liveNumbers: [Int64] { views.values.map(\.number).sorted() }

    private func revive(_ key: ViewKey, _ query: BoundQuery) throws(StorageError) -> View {
        let version = store.applied.version
        let record: ViewRecord
        if let known = try store.view(key) {
            record = known
            // Else it might be freed as one that nobody listens to.
            try store.setMaintained(version, of: known.number)
        } else {
            record = try store.createView(key)
        }
        var reach = Reach(depth: key.depth)
        let roots = Set(try store.evaluate(query))
        _ = try reach.update(entering: roots, leaving: [], touched: []) {
            (object: ObjectID) throws(StorageError) in try contents.links(of: object)
        }
        let members = reach.members
        var stored: [ObjectID: Bool] = [:]
        for member in try store.members(of: record.number) { stored[member.object] = member.isRoot }
        for object in stored.keys.sorted() where members[object] != stored[object] {
            try store.leave(object, view: record.number, at: version)
        }
        for object in members.sortedKeys {
            guard let isRoot = members[object], stored[object] != isRoot else { continue }
            try store.enter(object, isRoot: isRoot, view: record.number, at: version)
        }
        return View(
            number: record.number, key: key, query: query, reach: reach, members: members,
            created: record.created, gaps: try store.gaps(), at: version,
            remembering: recentObjects)
    }

    /// Brings every live view up to the applied version.
    /// - Parameters:
    ///   - touched: the objects whose cells, lists or existence changed.
    ///   - previous: the version that the views are at.
    /// - Returns: the views whose content changed.
    func maintain(
        touched: Set<ObjectID>, since previous: Version
    ) throws(StorageError) -> [View] {
        var changed: [View] = []
        let classes = Set(touched.map(\.classNumber))
        let concerned = views.values.filter { view in
            !view.query.classes.isDisjoint(with: classes)
                || touched.contains { view.members.contains($0) }
        }
        let linking = classes.filter { number in
            store.schema.schema(number: number)?.properties.contains { $0.type.isLink } == true
        }
        let turn = TouchedObjects(
            all: touched, sorted: touched.sorted(),
            linking: linking.isEmpty ? [] : touched.filter { linking.contains($0.classNumber) })
        for view in concerned.sorted(by: { $0.number < $1.number }) {
            let (delta, objects) = try update(view, turn, since: previous)
            guard !delta.isEmpty else { continue }
            view.changed(at: store.applied.version, delta, objects: objects)
            changed.append(view)
        }
        return changed
    }

    /// The objects whose cells, lists or existence a turn changed.
    private struct TouchedObjects {
        let all: Set<ObjectID>
        let sorted: [ObjectID]
        /// Those of a class that has links: the others never lead anywhere.
        let linking: Set<ObjectID>
    }

    /// - Returns: what changed of a view, and the objects that came, left or changed.
    private func update(
        _ view: View, _ touched: TouchedObjects, since previous: Version
    ) throws(StorageError) -> (ViewDelta, [ObjectID]) {
        let (entering, leaving) = try rootChanges(of: view, touched: touched.all)
        let update = try view.reach.update(
            entering: entering, leaving: leaving, touched: touched.linking
        ) { (object: ObjectID) throws(StorageError) in try contents.links(of: object) }
        var delta = ViewDelta()
        let version = store.applied.version
        var arrived: Set<ObjectID> = []
        var changed: [ObjectID] = []
        for object in update.affected.sorted() {
            let before = view.members[object]
            let after: Bool? =
                view.reach.contains(object) ? view.reach.isRoot(object) : nil
            guard before != after else { continue }
            changed.append(object)
            if before != nil {
                try store.leave(object, view: view.number, at: version)
                delta.departures.append(try contents.key(of: object))
            }
            if let isRoot = after {
                try store.enter(object, isRoot: isRoot, view: view.number, at: version)
                delta.arrivals.append(try contents.arrival(object, isRoot: isRoot))
                arrived.insert(object)
            }
            view.members[object] = after
        }
        for object in touched.sorted where view.members[object] != nil {
            guard !arrived.contains(object),
                let change = try contents.change(of: object, since: previous)
            else { continue }
            delta.changes.append(change)
            changed.append(object)
        }
        return (delta, changed)
    }

    private func rootChanges(
        of view: View, touched: Set<ObjectID>
    ) throws(StorageError) -> (entering: Set<ObjectID>, leaving: Set<ObjectID>) {
        guard view.query.limit == nil else {
            // A window's edge depends on its neighbours, so it is looked at whole.
            let roots = Set(try store.evaluate(view.query))
            return (
                roots.filter { !view.reach.isRoot($0) },
                Set(view.reach.rootObjects).subtracting(roots)
            )
        }
        if view.query.usesOnlyOwnProperties { return try ownChanges(of: view, touched: touched) }
        var candidates: Set<ObjectID> = []
        for object in touched where view.query.classes.contains(object.classNumber) {
            let roots = try reading("finding the roots of a change") {
                try view.query.affectedRoots(by: object, in: store)
            }
            candidates.formUnion(roots)
        }
        var entering: Set<ObjectID> = []
        var leaving: Set<ObjectID> = []
        for object in candidates {
            let isRoot = try isRoot(object, of: view)
            if isRoot && !view.reach.isRoot(object) { entering.insert(object) }
            if !isRoot && view.reach.isRoot(object) { leaving.insert(object) }
        }
        return (entering, leaving)
    }

    /// Where an object's own properties decide, each of its class can concern itself alone.
    private func ownChanges(
        of view: View, touched: Set<ObjectID>
    ) throws(StorageError) -> (entering: Set<ObjectID>, leaving: Set<ObjectID>) {
        var entering: Set<ObjectID> = []
        var leaving: Set<ObjectID> = []
        for object in touched where object.classNumber == view.query.classNumber {
            let isRoot = try isRoot(object, of: view)
            guard isRoot != view.reach.isRoot(object) else { continue }
            if isRoot { entering.insert(object) } else { leaving.insert(object) }
        }
        return (entering, leaving)
    }

    private func isRoot(_ object: ObjectID, of view: View) throws(StorageError) -> Bool {
        guard try store.isAlive(object) else { return false }
        return try reading("evaluating a query") { try view.query.matches(object, in: store) }
    }

    /// What happened to a view above a version, encoded; nil where nothing did.
    func encodedDifference(of view: View, since version: Version) throws(StorageError) -> [UInt8]? {
        if version >= view.lastChange { return nil }
        if let shared = view.sharedDelta(since: version) { return shared }
        let delta = try difference(of: view, since: version)
        guard !delta.isEmpty else { return nil }
        let encoded = delta.encoded()
        view.share(encoded, since: version)
        return encoded
    }

    /// What happened to a view above a version that its stored members can tell of.
    /// - Parameter last: leaves out what stands behind that object.
    func difference(
        of view: View, since version: Version, through last: ObjectID? = nil
    ) throws(StorageError) -> ViewDelta {
        var delta = ViewDelta()
        var arrived: Set<ObjectID> = []
        func isMeant(_ object: ObjectID) -> Bool { last.map { object <= $0 } ?? true }
        for member in try store.memberChanges(of: view.number, since: version)
        where isMeant(member.object) {
            if member.entered <= version, member.left != nil,
                let departed = try contents.knownKey(of: member.object)
            {
                delta.departures.append(departed)
            }
            if member.entered > version, member.left == nil {
                arrived.insert(member.object)
                delta.arrivals.append(
                    try contents.arrival(member.object, isRoot: member.isRoot))
            }
        }
        for object in view.changedMembers(since: version)
        where !arrived.contains(object) && isMeant(object) {
            if let change = try contents.change(of: object, since: version) {
                delta.changes.append(change)
            }
        }
        return delta
    }
}
