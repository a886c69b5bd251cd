/// Why a load could not be measured, as one sentence, with the status to exit with.
struct BenchError: Error {
    let sentence: String
    let status: Int32

    init(_ sentence: String, status: Int32 = 70) {
        self.sentence = sentence
        self.status = status
    }

    static func usage(_ sentence: String) -> BenchError { BenchError(sentence, status: 64) }
}
