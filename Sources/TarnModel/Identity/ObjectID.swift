/// An object's place in one store, which never leaves it: the number of its class in the store's
/// schema, and a number within the class. A key that is deleted and created again gets another.
package struct ObjectID: Hashable, Comparable, Sendable {
    package let classNumber: Int
    package let number: Int64

    package init(classNumber: Int, number: Int64) {
        self.classNumber = classNumber
        self.number = number
    }

    package static func < (left: ObjectID, right: ObjectID) -> Bool {
        (left.classNumber, left.number) < (right.classNumber, right.number)
    }
}
