import CLinux
import Glibc

/// `tarn-bench`: what its words do.
enum BenchProgram {
    static let help = """
        tarn-bench: measures tarnd under named loads, with the floor of the same run beside it

        usage:
          tarn-bench LOAD [options]
          tarn-bench list
          tarn-bench echo-server [--host HOST] [--port PORT] [--certificate FILE --key FILE]
          tarn-bench echo-client HOST:PORT --authority FILE
          tarn-bench --help

        echo-server sends back every message, at any path and for any subprotocol. It says where it
        listens (wss://127.0.0.1 and a free port, if it is not told) and ends with SIGTERM or
        SIGINT. Without a certificate it makes one for the time that it lives. echo-client echoes
        in all cases of a fuzzing server that is spoken to as Autobahn's is.

        options:
          --json             one JSON object a figure: load, name, value, unit
          --commits N        transactions to measure
          --rounds N         rounds in which what is compared takes turns (echo, largest-commit)
          --changes N        changes of a large transaction (largest-commit)
          --bytes N          bytes of the text that each of them sets (largest-commit)
          --creates          they make new objects instead (largest-commit)
          --connections N    subscribers (fan-out), writers (writes, largest-commit), idle ones
                             (idle-memory), those who do not read (slow-readers)
          --folder DIR       where the data is put for the time of the run: the disk that is
                             measured (default: the folder of this program)
          --tarnd FILE       the daemon to measure (default: the one beside this program)

        status: 0 well; 64 not understood; 70 the load could not be measured
        """

    static func run(_ arguments: [String]) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        do throws(BenchError) {
            switch arguments.first {
            case nil: throw .usage("A load is missing; tarn-bench list names them.")
            case "--help", "-h", "help": say(help)
            case "list": list()
            case EchoServer.verb: try EchoServer.run(Array(arguments.dropFirst()))
            case "echo-client": try EchoClient.run(Array(arguments.dropFirst()))
            case Role.verb: try Role.run(Array(arguments.dropFirst()))
            case let word?: try measure(word, Array(arguments.dropFirst()))
            }
            return 0
        } catch {
            complain("tarn-bench: \(error.sentence)")
            return error.status
        }
    }

    private static func list() {
        let width = Load.allCases.map(\.rawValue.count).max() ?? 0
        for load in Load.allCases {
            let gap = String(repeating: " ", count: width - load.rawValue.count + 2)
            say(load.rawValue + gap + load.summary)
        }
    }

    private static func measure(_ name: String, _ words: [String]) throws(BenchError) {
        guard let load = Load(rawValue: name) else {
            throw .usage("There is no load \"\(name)\"; tarn-bench list names them.")
        }
        let options = try Options(words)
        raiseDescriptorLimit()
        let report = Report(load: name, isJSON: options.isJSON)
        let stage = try Stage(options)
        defer { stage.remove() }
        try load.measure(on: stage, options, into: report)
        report.finish()
    }

    /// Thousands of connections, here and in the daemon, which inherits it.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    static func say(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    static func complain(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
