/// How the program ends, by the numbers of sysexits.h where there is one. `docs/terminal.md` and
/// `tarn --help` list them.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    /// A question was answered with no.
    case declined = 1
    case usage = 64
    case badData = 65
    case notFound = 66
    case unavailable = 69
    case defect = 70
    case systemFailed = 71
    case cannotStore = 74
    case tryAgain = 75
    case protocolBroken = 76
    case notAllowed = 77
    case badConfiguration = 78

    package var meaning: String {
        switch self {
        case .done: "done; also when it could not be sent yet"
        case .declined: "a question was answered with no, and nothing was done"
        case .usage: "the command line is wrong"
        case .badData: "a title, a query or another value is wrong"
        case .notFound: "there is no such task, object, class or subscription, or several"
        case .unavailable: "the server cannot be reached, or does not answer as it should"
        case .defect: "a defect of this program"
        case .systemFailed: "the machine refused what a program needs"
        case .cannotStore: "the data on this machine cannot be read or written"
        case .tryAgain: "not finished yet; try again"
        case .protocolBroken: "the server sent what makes no sense"
        case .notAllowed: "not logged in, or the server refused"
        case .badConfiguration: "the account's file or the server's certificate is no good"
        }
    }
}
