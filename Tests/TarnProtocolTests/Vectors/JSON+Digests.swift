import TarnModel
import TarnProtocol

/// Digests, and objects as they take them in.
extension JSON {
    func heldObject(of schema: Schema) throws -> HeldObject {
        let name = HeldName(className: try self["class"].text, key: try self["key"].key)
        guard let properties = schema[name.className]?.properties else { throw Fault("no class") }
        var object = HeldObject(
            name: name, life: try self["life"].transactionID, isRoot: try self["isRoot"].flag)
        for (property, content) in zip(properties, try self["properties"].elements) {
            object.set(try content.propertyContent, of: property)
        }
        return object
    }

    /// From its sums.
    var contentDigest: ContentDigest {
        get throws {
            guard let digest = ContentDigest(bytes: try bytes) else { throw Fault("no digest") }
            return digest
        }
    }

    var bucketSet: BucketSet {
        get throws {
            guard let buckets = BucketSet(bytes: try bytes) else { throw Fault("no buckets") }
            return buckets
        }
    }
}
