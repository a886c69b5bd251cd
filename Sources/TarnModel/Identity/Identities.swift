/// Names a realm for ever, whatever it is called: 16 random bytes.
package struct RealmID: Hashable, Sendable {
    package static let byteCount = 16
    package let bytes: [UInt8]

    /// Nil unless there are just 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}

/// Names one client's copy of its part of one realm: 8 random bytes, chosen by the replica.
package struct ReplicaID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    package static func < (left: ReplicaID, right: ReplicaID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Names one transaction: its replica, and its place among that replica's transactions, from 1
/// and without gaps. It names an object's life too: the life that this transaction created.
package struct TransactionID: Hashable, Comparable, Sendable {
    package let replica: ReplicaID
    package let sequence: UInt64

    package init(replica: ReplicaID, sequence: UInt64) {
        self.replica = replica
        self.sequence = sequence
    }

    package static func < (left: TransactionID, right: TransactionID) -> Bool {
        (left.replica, left.sequence) < (right.replica, right.sequence)
    }
}

/// One place in a list. A moved or removed element leaves its slot behind.
package struct SlotID: Hashable, Sendable {
    package let transaction: TransactionID
    package let ordinal: UInt32

    package init(transaction: TransactionID, ordinal: UInt32) {
        self.transaction = transaction
        self.ordinal = ordinal
    }
}

/// One element of a list, wherever it stands: the identity of the slot that it was inserted in.
package struct ElementID: Hashable, Sendable {
    package let transaction: TransactionID
    package let ordinal: UInt32

    package init(transaction: TransactionID, ordinal: UInt32) {
        self.transaction = transaction
        self.ordinal = ordinal
    }

    package init(insertedIn slot: SlotID) {
        self.init(transaction: slot.transaction, ordinal: slot.ordinal)
    }

    /// The slot that the element was first put in.
    package var firstSlot: SlotID { SlotID(transaction: transaction, ordinal: ordinal) }
}

extension ReplicaID: CustomStringConvertible {
    package var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension TransactionID: CustomStringConvertible {
    package var description: String { "\(replica)#\(sequence)" }
}
