import TarnCrypto
import Testing

@Suite struct RandomBytesTests {
    @Test func `two draws of sixteen bytes differ`() throws {
        let one = try RandomBytes.make(16)
        let other = try RandomBytes.make(16)

        #expect(one.count == 16)
        #expect(one != other)
        #expect(try RandomBytes.make(0).isEmpty)
    }

    @Test(
        arguments: [
            ([], [], true), ([1], [1], true), ([1, 2], [1, 3], false), ([1], [1, 2], false),
            ([], [0], false),
        ] as [([UInt8], [UInt8], Bool)])
    func `comparing in constant time answers as equality does`(
        one: [UInt8], other: [UInt8], equal: Bool
    ) {
        #expect(ConstantTime.areEqual(one, other) == equal)
    }
}
