import Glibc
import TarnDaemon

exit(
    DaemonProgram.run(
        Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.all))
