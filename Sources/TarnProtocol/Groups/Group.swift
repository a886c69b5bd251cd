package import TarnModel

/// One subscription's share of a group.
package struct GroupView: Hashable, Sendable {
    /// The replica's number for the subscription.
    package let subscription: Int64
    /// What of that which the replica holds of the subscription goes first.
    package let replaced: Replacement
    /// A `ViewDelta`, encoded once for all who share the view.
    package let delta: [UInt8]

    package enum Replacement: Hashable, Sendable {
        /// The delta changes it.
        case nothing
        /// The delta's arrivals come in the place of all of it.
        case everything
        /// They come in the place of what lies in these buckets of the digest that the replica
        /// told.
        case buckets(BucketSet)
    }

    package init(subscription: Int64, replaced: Replacement, delta: [UInt8]) {
        self.subscription = subscription
        self.replaced = replaced
        self.delta = delta
    }

    package init(subscription: Int64, isFull: Bool, delta: [UInt8]) {
        self.init(
            subscription: subscription, replaced: isFull ? .everything : .nothing, delta: delta)
    }

    package var isFull: Bool { replaced == .everything }
}

/// A subscription that the server cannot answer.
package struct SubscriptionFault: Hashable, Sendable {
    package let subscription: Int64
    package let sentence: String

    package init(subscription: Int64, sentence: String) {
        self.subscription = subscription
        self.sentence = sentence
    }
}

/// All that a replica learns on its way from one version to a later one; it is applied in one
/// storage transaction, so that a replica is always at one version.
package struct Group: Hashable, Sendable {
    /// What the replica must have integrated for this group to fit.
    package let from: ResumePoint
    package let to: ResumePoint
    /// The server's clock, milliseconds since 1970: when the subscriptions were true.
    package let time: Int64
    /// Entries of the connection's dictionary that are new: a class's number and what it is now.
    package let classes: [NumberedClass]
    package let views: [GroupView]
    package let receipts: [Receipt]
    package let faults: [SubscriptionFault]
    /// More groups follow before the replica is at a version again. Nil for the last of a series,
    /// and for a group by itself.
    package let progress: SeriesProgress?

    package init(
        from: ResumePoint, to: ResumePoint, time: Int64, classes: [NumberedClass],
        views: [GroupView], receipts: [Receipt], faults: [SubscriptionFault],
        progress: SeriesProgress? = nil
    ) {
        self.from = from
        self.to = to
        self.time = time
        self.classes = classes
        self.views = views
        self.receipts = receipts
        self.faults = faults
        self.progress = progress
    }
}

/// How far a series of groups has come. A large download is a series: each of its groups is made at
/// the version that is current then, and none is applied before the last is here.
package struct SeriesProgress: Hashable, Sendable {
    /// From where the server goes on, if the connection is lost; for it alone to read.
    package let cursor: [UInt8]
    /// Objects that have been gone through.
    package let done: UInt64
    /// Objects that there are to go through, as far as is known now.
    package let total: UInt64

    package init(cursor: [UInt8], done: UInt64, total: UInt64) {
        self.cursor = cursor
        self.done = done
        self.total = total
    }
}

package struct NumberedClass: Hashable, Sendable {
    package let number: Int
    package let schema: ClassSchema

    package init(number: Int, schema: ClassSchema) {
        self.number = number
        self.schema = schema
    }
}
