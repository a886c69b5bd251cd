import Glibc
import Tarn

/// The program `tarn`.
package enum Program {
    /// Does what the command line says, and answers the exit status.
    package static func run(_ arguments: [String]) -> Int32 {
        ProcessSignals.prepare()
        let environment: (String) -> String? = { name in
            getenv(name).map { String(cString: $0) }
        }
        let run = CommandRun(
            terminal: SystemTerminal(), environment: environment, now: Clock.wall,
            random: SystemRandomNumberGenerator(),
            openProfile: { try LiveProfile($0, environment: environment) })
        return run.run(arguments)
    }
}
