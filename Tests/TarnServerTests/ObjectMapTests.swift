import TarnModel
import TarnTesting
import Testing

@testable import TarnServer

struct ObjectMapTests {
    @Test(arguments: [UInt64](1...40))
    func `a map by objects is what a dictionary is`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var map = ObjectMap<Int>()
        var dictionary: [ObjectID: Int] = [:]
        let numbers: [Int64] = [.min, -65, -64, -1, 0, 1, 63, 64, 65, 128, 200, .max]

        for step in 0..<400 {
            let object = ObjectID(
                classNumber: Int.random(in: 0...2, using: &random),
                number: numbers.randomElement(using: &random) ?? 0)
            let value = Bool.random(using: &random) ? step : nil
            map[object] = value
            dictionary[object] = value

            #expect(map[object] == dictionary[object])
            #expect(map.contains(object) == (value != nil))
            #expect(map.count == dictionary.count)
            #expect(map.isEmpty == dictionary.isEmpty)
        }
        #expect(map.sortedKeys == dictionary.keys.sorted())
        var found: [ObjectID: Int] = [:]
        map.visit { found[$0] = $1 }
        #expect(found == dictionary)
    }
}
