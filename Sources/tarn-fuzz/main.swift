import Glibc
import TarnFuzzing

#if FUZZING
    import CFuzzer
#endif

/// What the program was called for.
///
/// Written once, before anything runs, and read by the one thread that feeds the target: libFuzzer
/// calls a C function, which can capture nothing.
enum Chosen {
    nonisolated(unsafe) static var target: FuzzTarget?

    /// Ends the process where a law is broken, as a trap would.
    static func run(_ input: [UInt8]) {
        guard let target else { return }
        do throws(BrokenLaw) {
            try target.run(input)
        } catch {
            complain("\(target.name): \(error)\n")
            abort()
        }
    }
}

func complain(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

func usage() -> Never {
    complain("usage: tarn-fuzz --list | tarn-fuzz --target=NAME FILE...\n")
    exit(64)
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "--list" {
    for target in FuzzTarget.all { print(target.name, target.byteCountMax, target.about) }
    exit(0)
}
// libFuzzer ignores an argument with two hyphens, and hands it on where it starts itself again.
let option = "--target="
guard let argument = arguments.first(where: { $0.hasPrefix(option) }),
    let target = FuzzTarget.named(String(argument.dropFirst(option.count)))
else { usage() }
Chosen.target = target

#if FUZZING
    var count = CommandLine.argc
    var options: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
        LLVMFuzzerRunDriver(&count, &options) { bytes, count in
            Chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        })
#else
    for path in arguments where path != argument {
        guard let input = Corpus.contents(of: path) else {
            complain("\(path) cannot be read\n")
            exit(66)
        }
        print(path)
        fflush(nil)
        Chosen.run(input)
    }
#endif
