package import TarnClient
package import TarnModel
package import TarnQuery
import TarnStorage

/// A live result with what a person was last shown of its rows, so that what goes can be shown, and
/// what changed inside a row can be told.
package struct WatchedResult {
    package private(set) var live: LiveResult
    private var contents: [ObjectID: ObjectContent] = [:]

    package init(_ source: LiveResult.Source) { live = LiveResult(source) }

    /// A row that went or stays, with its content before and after.
    package struct Update {
        package let changes: ChangeSet
        package let oldRows: [ObjectID]
        package let newRows: [ObjectID]
        package let oldContents: [ObjectID: ObjectContent]
        package let newContents: [ObjectID: ObjectContent]
        package let isPartial: Bool

        package func old(_ index: Int) -> ObjectContent? { oldContents[oldRows[index]] }
        package func new(_ index: Int) -> ObjectContent? { newContents[newRows[index]] }
    }

    package mutating func refresh(in reader: ReplicaReader) throws(ReplicaError) -> Update {
        let (oldRows, oldContents) = (live.rows, contents)
        let changes = try live.refresh(in: reader)
        for index in changes.deletions { contents[oldRows[index]] = nil }
        let changed = changes.insertions + changes.modifications.map(\.new)
        for index in changed {
            let object = live.rows[index]
            contents[object] = try ObjectContent(object, in: reader)
        }
        return Update(
            changes: changes, oldRows: oldRows, newRows: live.rows, oldContents: oldContents,
            newContents: contents, isPartial: live.isPartial)
    }
}
