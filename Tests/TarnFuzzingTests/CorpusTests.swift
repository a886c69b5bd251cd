import TarnFuzzing
import Testing

/// What `make fuzz` does for as long as it is let, in short and without libFuzzer: the inputs that
/// are kept, and mutations of them by seeds.
@Suite struct CorpusTests {
    private static let folder: String = {
        let components = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return components.dropLast(3).joined(separator: "/") + "/Fuzz/corpus"
    }()

    @Test(arguments: FuzzTarget.all)
    func `every input of the corpus keeps the laws`(target: FuzzTarget) {
        let corpus = Corpus(of: target, in: Self.folder)

        #expect(!corpus.inputs.isEmpty, "Fuzz/corpus/\(target.name) has no inputs")
        for input in corpus.inputs {
            do throws(BrokenLaw) {
                try target.run(input.bytes)
            } catch {
                Issue.record("Fuzz/corpus/\(target.name)/\(input.file): \(error)")
            }
        }
    }

    @Test(arguments: FuzzTarget.all, [UInt64](1...8))
    func `mutations of the corpus keep the laws`(target: FuzzTarget, seed: UInt64) {
        let inputs = Corpus(of: target, in: Self.folder).inputs.map(\.bytes)
        var mutator = Mutator(seed: seed, byteCountMax: target.byteCountMax)

        for number in 1...(target.isLong ? 25 : 1000) {
            let input = mutator.next(of: inputs)
            do throws(BrokenLaw) {
                try target.run(input)
            } catch {
                Issue.record("input \(number), \(hexadecimal(input)): \(error)")
                return
            }
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 2 ? digits : "0" + digits
        }.joined()
    }
}
