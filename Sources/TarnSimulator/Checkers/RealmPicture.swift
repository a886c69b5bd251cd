import TarnModel
import TarnQuery
import TarnStorage

/// An object by its names, as anybody can compare it.
struct ObjectPicture: Equatable {
    struct Element: Equatable {
        let slot: SlotID
        let element: ElementID
        let value: Value
    }

    var life: TransactionID?
    var values: [String: Value] = [:]
    var lists: [String: [Element]] = [:]
    /// Of sets and maps.
    var entries: [String: [Entry]] = [:]

    /// The properties in which two are not the same.
    func difference(to other: ObjectPicture) -> String {
        var parts: [String] = []
        if life != other.life { parts.append("life \(Self.text(life)) / \(Self.text(other.life))") }
        for name in Set(values.keys).union(other.values.keys).sorted()
        where values[name] != other.values[name] {
            parts.append("\(name) \(Self.text(values[name])) / \(Self.text(other.values[name]))")
        }
        for name in Set(lists.keys).union(other.lists.keys).sorted()
        where lists[name] != other.lists[name] {
            let (left, right) = (lists[name] ?? [], other.lists[name] ?? [])
            parts.append("\(name) \(left.map(Self.text)) / \(right.map(Self.text))")
        }
        for name in Set(entries.keys).union(other.entries.keys).sorted()
        where entries[name] != other.entries[name] {
            let (left, right) = (entries[name] ?? [], other.entries[name] ?? [])
            parts.append("\(name) \(left.map(Self.text)) / \(right.map(Self.text))")
        }
        return parts.joined(separator: ", ")
    }

    private static func text<Part>(_ part: Part?) -> String {
        String(String(describing: part).prefix(120))
    }

    private static func text(_ entry: Entry) -> String { "\(entry.entry): \(entry.value)" }

    private static func text(_ element: Element) -> String {
        "\(element.slot.transaction).\(element.slot.ordinal)=\(element.value)"
    }
}

struct PlainName: Hashable, Comparable, CustomStringConvertible {
    let className: String
    let key: PrimaryKey

    static func < (left: PlainName, right: PlainName) -> Bool {
        (left.className, left.key) < (right.className, right.key)
    }

    var description: String { "\(className) \(key)" }
}

/// All living objects of a realm's store, by their names.
struct RealmPicture: Equatable {
    private(set) var objects: [PlainName: ObjectPicture] = [:]
    private(set) var schema: Schema

    init(objects: [PlainName: ObjectPicture], schema: Schema) {
        self.objects = objects
        self.schema = schema
    }

    init(of store: MemoryRealmStore) throws {
        schema = store.schema
        for (number, schema) in store.schema.classes.enumerated() {
            for object in try store.objects(in: number) {
                let name = PlainName(className: schema.name, key: try store.key(of: object))
                var picture = ObjectPicture(life: try store.life(of: object))
                let values = try store.values(of: object)
                for (property, definition) in schema.properties.enumerated() {
                    let list = ListID(object: object, property: property)
                    switch definition.kind {
                    case .value: picture.values[definition.name] = values[property]
                    case .list:
                        picture.lists[definition.name] = try store.liveElements(in: list).map {
                            .init(slot: $0.slot, element: $0.element, value: $0.value)
                        }
                    case .set, .map:
                        picture.entries[definition.name] = try store.entries(in: list)
                    }
                }
                objects[name] = picture
            }
        }
    }

    /// The same where the order within lists does not matter.
    var withoutOrder: RealmPicture {
        var picture = self
        for (name, object) in objects {
            picture.objects[name]?.lists = object.lists.mapValues { elements in
                elements.sorted {
                    ($0.slot.transaction, $0.slot.ordinal) < ($1.slot.transaction, $1.slot.ordinal)
                }
            }
        }
        return picture
    }

    func difference(to other: RealmPicture) -> String {
        for name in Set(objects.keys).union(other.objects.keys).sorted() {
            switch (objects[name], other.objects[name]) {
            case (let left?, let right?):
                if left != right { return "\(name): \(left.difference(to: right))" }
            case (_?, nil): return "\(name) is there / is not there"
            case (nil, _?): return "\(name) is not there / is there"
            case (nil, nil): break
            }
        }
        return schema == other.schema ? "none" : "the schema is another one"
    }
}
