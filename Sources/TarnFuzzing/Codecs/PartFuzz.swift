import TarnModel
import TarnProtocol

/// Parts as a stranger may send them, and a long byte string cut and put together again.
enum PartFuzz {
    private static let bytesMax = 512

    @Sendable static func run(_ bytes: [UInt8]) throws(BrokenLaw) {
        var input = FuzzInput(bytes)
        try checkCutting(input.take(Int(input.short() & 0x3FF)), &input)
        var assembler = PartAssembler(bytesMax: bytesMax)
        var held: [UInt8] = []
        while !input.isAtEnd {
            // Mostly what fits, else no whole would ever come about.
            let flags = input.byte()
            let part = Part(
                total: flags & 1 == 0 ? UInt64(input.byte()) : number(&input),
                offset: flags & 2 == 0 ? assembler.offset : number(&input),
                bytes: input.take(Int(input.byte() & 0x3F)))
            let whole: [UInt8]?
            do throws(FormatError) {
                whole = try assembler.append(part)
            } catch {
                try require(
                    assembler.offset == UInt64(held.count), "a refused part changes what is held")
                continue
            }
            held += part.bytes
            if let whole {
                try require(whole == held, "a whole is not what its parts were")
                try require(UInt64(whole.count) == part.total, "a whole has another length")
                held = []
            }
            try require(held.count <= bytesMax, "more is held than was allowed")
            try require(assembler.offset == UInt64(held.count), "the offset is not what is held")
        }
    }

    private static func number(_ input: inout FuzzInput) -> UInt64 {
        input.take(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func checkCutting(
        _ bytes: [UInt8], _ input: inout FuzzInput
    ) throws(BrokenLaw) {
        var cutter = PartCutter(bytes, from: 0)
        var assembler = PartAssembler(bytesMax: bytes.count)
        var whole: [UInt8]? = bytes.isEmpty ? [] : nil
        while !cutter.isFinished {
            guard let part = cutter.next(credit: Int(input.byte()) + 1) else { break }
            do throws(FormatError) {
                whole = try assembler.append(part)
            } catch {
                throw BrokenLaw(sentence: "a part of a cut string is refused: \(error)")
            }
        }
        try require(whole == bytes, "what was cut is put together as something else")
    }
}
