/// What decides between two values of one property: when each was set, and whether anybody said it.
package struct RegisterMark: Hashable, Sendable {
    package let stamp: Stamp
    /// A default that a program filled in, rather than a value that was said.
    package let isDefault: Bool

    package init(stamp: Stamp, isDefault: Bool) {
        self.stamp = stamp
        self.isDefault = isDefault
    }
}

/// Which of two values a property keeps. The law: whatever the order in which values arrive, and
/// however often, the same one stands at the end.
package enum RegisterRule {
    package static func replaces(_ incoming: RegisterMark, over present: RegisterMark) -> Bool {
        switch (incoming.isDefault, present.isDefault) {
        // Nobody said a default, so whatever was said stands, be it older.
        case (true, false): false
        case (false, true): true
        // The later stamp wins. What the author had seen has an earlier stamp than his own, since
        // stamps are raised above all that was visible at the base.
        case (true, true), (false, false): incoming.stamp > present.stamp
        }
    }
}
