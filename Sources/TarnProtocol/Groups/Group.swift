package import TarnModel

/// One subscription's share of a group.
package struct GroupView: Hashable, Sendable {
    /// The replica's number for the subscription.
    package let subscription: Int64
    /// What the replica holds of the subscription is replaced rather than changed.
    package let isFull: Bool
    /// A `ViewDelta`, encoded once for all who share the view.
    package let delta: [UInt8]

    package init(subscription: Int64, isFull: Bool, delta: [UInt8]) {
        self.subscription = subscription
        self.isFull = isFull
        self.delta = delta
    }
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

    package init(
        from: ResumePoint, to: ResumePoint, time: Int64, classes: [NumberedClass],
        views: [GroupView], receipts: [Receipt], faults: [SubscriptionFault]
    ) {
        self.from = from
        self.to = to
        self.time = time
        self.classes = classes
        self.views = views
        self.receipts = receipts
        self.faults = faults
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
