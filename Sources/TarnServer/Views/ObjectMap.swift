package import TarnModel

/// Values by object, for views of any size: it grows a page at a time, where a dictionary now and
/// then moves all that it has, which takes a view of 200,000 objects 30 milliseconds of everybody's
/// time. Numbers of objects lie close together, so a page is mostly full.
package struct ObjectMap<Value: Sendable>: Sendable {
    private struct Place: Hashable {
        let classNumber: Int
        let page: Int64
    }

    fileprivate struct Page: Sendable {
        var values: ContiguousArray<Value?>
        var count = 0

        init() { values = ContiguousArray(repeating: nil, count: ObjectMap.pageSize) }
    }

    private static var pageSize: Int { 64 }

    private var pages: [Place: Page] = [:]
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package func contains(_ object: ObjectID) -> Bool { self[object] != nil }

    package subscript(object: ObjectID) -> Value? {
        get { pages[Self.place(of: object)]?.values[Self.index(of: object)] }
        set {
            let place = Self.place(of: object)
            guard let newValue else { return remove(object, in: place) }
            let index = Self.index(of: object)
            if Self.put(newValue, at: index, in: &pages[place, default: Page()]) { count += 1 }
        }
    }

    /// - Returns: whether there was nothing.
    private static func put(_ value: Value, at index: Int, in page: inout Page) -> Bool {
        let isNew = page.values[index] == nil
        page.values[index] = value
        if isNew { page.count += 1 }
        return isNew
    }

    private mutating func remove(_ object: ObjectID, in place: Place) {
        let index = Self.index(of: object)
        guard pages[place]?.values[index] != nil else { return }
        pages[place]?.values[index] = nil
        pages[place]?.count -= 1
        count -= 1
        if pages[place]?.count == 0 { pages[place] = nil }
    }

    /// In no order.
    package func visit(_ body: (_ object: ObjectID, _ value: Value) -> Void) {
        for (place, page) in pages {
            for (index, value) in page.values.enumerated() {
                guard let value else { continue }
                let number = place.page * Int64(Self.pageSize) + Int64(index)
                body(ObjectID(classNumber: place.classNumber, number: number), value)
            }
        }
    }

    /// In order.
    package var sortedKeys: [ObjectID] {
        var keys: [ObjectID] = []
        keys.reserveCapacity(count)
        visit { object, _ in keys.append(object) }
        return keys.sorted()
    }

    private static func place(of object: ObjectID) -> Place {
        Place(classNumber: object.classNumber, page: object.number >> 6)
    }

    private static func index(of object: ObjectID) -> Int { Int(object.number & 63) }
}

extension ObjectMap: Equatable where Value: Equatable {}

extension ObjectMap.Page: Equatable where Value: Equatable {}
