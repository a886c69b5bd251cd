import Glibc
import TarnCommands

exit(Program.run(Array(CommandLine.arguments.dropFirst())))
