package import TarnModel

/// How an evaluator looks at objects, wherever they are kept. Properties go by their number in
/// the class (`ClassSchema.number(of:)`).
///
/// Every call may throw what the store throws; an evaluator passes it on.
package protocol ObjectReader {
    func key(of object: ObjectID) throws -> PrimaryKey

    /// The value of a property that is no collection; a link that leads to no object here is null
    /// only where it is null: else it is a link without an object (`target` is nil).
    func value(_ property: Int, of object: ObjectID) throws -> Value

    /// The object that a link leads to; nil for null, and where the object is not here.
    func target(_ property: Int, of object: ObjectID) throws -> ObjectID?

    /// A list's elements in their order; a set's by `Value`'s order; a map's values by the order of
    /// their keys.
    func elements(_ property: Int, of object: ObjectID) throws -> [Value]

    /// The objects of a collection of links, in the order of `elements`, without those that are not
    /// here.
    func targets(_ property: Int, of object: ObjectID) throws -> [ObjectID]

    /// The objects of a class that hold this one by that link or collection of links, each once.
    func referrers(
        of object: ObjectID, through property: Int, in classNumber: Int
    ) throws -> [ObjectID]

    /// Every object of a class, in no particular order.
    func objects(in classNumber: Int) throws -> [ObjectID]
}
