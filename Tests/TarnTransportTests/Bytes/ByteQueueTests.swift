import TarnTesting
import TarnTransport
import Testing

@Suite struct ByteQueueTests {
    @Test(arguments: [UInt64](1...30))
    func `what goes in comes out in order, whatever the steps`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = ByteQueue()
        var model: [UInt8] = []
        for _ in 0..<200 {
            if Bool.random(using: &random) {
                let bytes = random.bytes(.random(in: 0...3000, using: &random))
                queue.append(bytes)
                model += bytes
            } else if Int.random(in: 0..<10, using: &random) == 0 {
                #expect(queue.takeAll() == model)
                model = []
            } else {
                let count = Int.random(in: 0...model.count, using: &random)
                queue.removeFirst(count)
                model.removeFirst(count)
            }
            #expect(queue.count == model.count)
            #expect(queue.isEmpty == model.isEmpty)
        }
        #expect(queue.takeAll() == model)
    }
}
