import TarnModel
import TarnProtocol
import TarnTesting
import Testing

@Suite struct PartLawTests {
    @Test(arguments: [UInt64](1...20))
    func `parts put together are what was cut, whatever the credit`(seed: UInt64) throws {
        var forms = RandomForms(seed: seed)
        var assembler = PartAssembler(bytesMax: 400_000)
        for _ in 0..<4 {
            let whole = forms.generator.bytes(1 + forms.below(300_000))
            var cutter = PartCutter(whole)
            var made: [UInt8]?
            var expected: UInt64 = 0
            while !cutter.isFinished {
                let credit = [0, 1, 5000, 65_000, .max][forms.below(5)]
                guard let part = cutter.next(credit: credit) else {
                    #expect(credit == 0)
                    continue
                }
                #expect(made == nil)
                #expect(part.offset == expected && part.total == UInt64(whole.count))
                #expect((1...ProtocolLimits.partBytesMax).contains(part.bytes.count))
                #expect(part.bytes.count <= credit)
                expected += UInt64(part.bytes.count)
                made = try assembler.append(part)
                #expect(assembler.offset == (made == nil ? expected : 0))
            }
            #expect(made == whole)
            #expect(cutter.next(credit: .max) == nil)
        }
    }

    @Test(arguments: [UInt64](1...20))
    func `an assembler that is given anything refuses or goes on, and never grows past its limit`(
        seed: UInt64
    ) {
        var forms = RandomForms(seed: seed)
        var assembler = PartAssembler(bytesMax: 300)
        for _ in 0..<200 {
            let bytes = forms.generator.bytes(forms.below(60))
            let offset = forms.flag() ? assembler.offset : forms.unsigned()
            let total = forms.flag() ? UInt64(forms.below(400)) : forms.unsigned()
            let whole = try? assembler.append(Part(total: total, offset: offset, bytes: bytes))
            if let whole { #expect(UInt64(whole.count) == total) }
            #expect(assembler.offset <= 300)
        }
    }

    @Test func `cutting may begin where the other side has the bytes already`() {
        var cutter = PartCutter([1, 2, 3, 4], from: 3)
        #expect(cutter.next(credit: 9) == Part(total: 4, offset: 3, bytes: [4]))
        #expect(cutter.isFinished)
        #expect(PartCutter([1], from: 7).isFinished)
        #expect(!PartCutter([1], from: -7).isFinished)
    }
}
