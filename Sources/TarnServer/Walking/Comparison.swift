import TarnModel
import TarnProtocol
import TarnStorage

/// How what a replica has of a view is compared with the view, where nobody knows what it has.
enum Comparison {
    /// The replica is to tell its digest.
    case asked
    /// It has; the view's own is being made.
    case under(DigestRun)
}

/// A view's digest in the making, a piece a turn.
///
/// Each object is taken in as it is when its turn comes. What it was then, and what has happened to
/// it since, is among what has happened since the run began: so the replica, which has what was
/// taken in where the sums agree, is told all that. What it is told twice does no harm.
struct DigestRun {
    /// The replica's.
    let theirs: ContentDigest
    private var ours: ContentDigest
    /// The version at which the run began.
    let base: Version
    private var position: ObjectID?

    init(against theirs: ContentDigest, at version: Version) {
        self.theirs = theirs
        ours = ContentDigest(bucketCount: theirs.sums.count)
        base = version
    }

    /// Takes in as many objects as the budget allows.
    /// - Returns: what the replica has of the view, when all have been.
    mutating func goOn(
        in view: View, of views: ViewBook, _ budget: inout WalkBudget
    ) throws(StorageError) -> ViewWalk.Base? {
        let limit = max(budget.objects, 1)
        let members = try views.store.members(of: view.number, behind: position, limit: limit)
        for member in members {
            let (held, weight) = try views.contents.held(member.object, isRoot: member.isRoot)
            ours.add(held, sha256: views.sha256)
            position = member.object
            budget.spend(objects: 1, bytes: weight)
            if budget.bytes <= 0 { return nil }
        }
        guard members.count < limit else { return nil }
        return .compared(base, ours.difference(to: theirs))
    }
}
