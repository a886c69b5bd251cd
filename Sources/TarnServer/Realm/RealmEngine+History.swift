import TarnModel
import TarnStorage

/// What a realm forgets.
extension RealmEngine {
    /// After a turn has been committed and told of.
    func keepHistory(now: Int64) throws(StorageError) {
        let applied = store.applied.version
        guard history.isDue(now: now, applied: applied, isBusy: hasWork) else { return }
        try store.begin()
        try history.work(on: store, now: now, liveViews: views.liveNumbers)
        try store.commit()
    }

    /// Whether the store has room to free: a turn does some of it, also one that has nothing to
    /// decide.
    package var hasHistoryWork: Bool { history.isBehind && !isBroken }
}
