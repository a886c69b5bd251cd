/// An object's place in one store, which never leaves it: the number of its class in the store's
/// schema, and a number within the class. A key that is deleted and created again gets another.
package struct ObjectID: Hashable, Comparable, Sendable {
    package let classNumber: Int
    package let number: Int64

    package init(classNumber: Int, number: Int64) {
        self.classNumber = classNumber
        self.number = number
    }

    /// In one word: sets and dictionaries of objects are what a large transaction is made of.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(number ^ Int64(truncatingIfNeeded: classNumber) << 48)
    }

    package static func < (left: ObjectID, right: ObjectID) -> Bool {
        (left.classNumber, left.number) < (right.classNumber, right.number)
    }
}
