import TarnModel
import TarnStorage

/// What a store remembers of its file from one transaction to the next, and what a transaction has
/// to do yet at its end.
final class ReplicaContent {
    /// By number.
    private(set) var classes: [ReplicaClass] = []
    /// By the class that they lead to: the properties of links and lists of links.
    private(set) var linking: [Int: [Holder.Place]] = [:]
    private(set) var schema = Schema()
    /// As it was when the transaction began.
    private(set) var committedSchema = Schema()
    /// The `counter` of the schema's changes that this is as of; nil where it must be read.
    var schemaRevision: Int64?

    /// Replica ids by the numbers that stand for them, and back.
    var replicas: [Int64: ReplicaID] = [:]
    var replicaNumbers: [ReplicaID: Int64] = [:]

    /// The last number given in each class that this transaction adds to.
    var lastNumbers: [Int: Int64] = [:]
    /// Objects that this transaction took something from: if it was the last that kept a bare row,
    /// the row goes at the commit.
    var loosened: Set<ObjectID> = []

    init(schema: Schema = Schema()) {
        set(schema)
        committedSchema = schema
    }

    func load(_ schema: Schema, revision: Int64) {
        set(schema)
        committedSchema = schema
        schemaRevision = revision
    }

    func put(_ schema: ClassSchema) {
        var all = self.schema
        all.put(schema)
        set(all)
    }

    /// What a committed transaction leaves.
    func settle() {
        committedSchema = schema
        lastNumbers = [:]
        loosened = []
    }

    private func set(_ schema: Schema) {
        self.schema = schema
        classes = schema.classes.enumerated().map { ReplicaClass(number: $0, in: schema, $1) }
        linking = [:]
        for (number, replicaClass) in classes.enumerated() {
            for (property, target) in replicaClass.linked.enumerated() {
                guard let target else { continue }
                linking[target, default: []].append(
                    Holder.Place(classNumber: number, property: property))
            }
        }
    }
}

extension Holder {
    /// A property of any object of a class.
    struct Place: Hashable {
        let classNumber: Int
        let property: Int
    }
}
