import CLinux
import Glibc
import TarnModel

/// `tarnd`: what its words do.
package enum DaemonProgram {
    package static let help = """
        tarnd: holds the realms of all users and pushes their changes

        usage:
          tarnd serve [options]
          tarnd user add NAME [--data DIR]      (asks for the password, or reads it from a pipe)
          tarnd user list [--data DIR]
          tarnd user remove NAME [--data DIR]
          tarnd --help | --version

        options of serve; each may stand in the configuration file as `name = value`, and in the
        environment as TARND_NAME; flags win over the environment, the environment over the file:
          --data DIR            where everything is kept (default ~/.local/share/tarnd)
          --listen HOST:PORT    may be given several times (default localhost:8276)
          --certificate FILE    PEM, the server's own first, then its chain
          --key FILE            PEM
          --allow-nicknames     a bare name logs in: for development only
          --no-registration     nobody may register by himself; see tarnd user add
          --allow-tls12         besides TLS 1.3
          --log-level LEVEL     debug, info, warning or error
          --loops N             threads for connections (default: as many as cores)
          --realm-threads N     threads for realms (default: half as many)
          --connections N       at a time, in all (default 10000)
          --connections-by-address N
                                from one address, or one /64 of IPv6 (default 1000)
          --strangers N         of those that have not logged in, in all (default 1000)
          --strangers-by-address N
                                from one address (default 100)
          --trusted-proxies LIST
                                addresses and ranges, as 10.0.0.0/8, with commas: they and this
                                machine itself have no limit by address
          --metrics HOST:PORT   tells figures for Prometheus there, on the loopback alone
          --min-free-space SIZE below this the daemon is not healthy (default 256M; 0 for none)
          --history-days N      older versions are forgotten (default 30)
          --history-versions N  of a realm, so are all but the last N (default 100000)
          --history-size SIZE   more of a realm is not kept in the commit log (default 256M)
          --config FILE         (default /etc/tarn/tarnd.conf, where it exists)

        status: 0 well; 64 not understood; 65 no such user, or there already; 69 address in use;
        73 folder or file unusable; 75 another tarnd has the folder; 78 configuration or certificate
        """

    package static let version = "0.1.0"

    /// Runs the program and answers its exit status.
    package static func run(_ arguments: [String], environment: [String: String]) -> Int32 {
        // A peer that is gone and a file that may not grow are errors to handle, not to die of.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        switch arguments.first {
        case "serve":
            return serve(Array(arguments.dropFirst()), environment).rawValue
        case "user":
            return UserCommands(environment: environment)
                .run(Array(arguments.dropFirst())).rawValue
        case "--help", "-h", "help":
            say(help, to: STDOUT_FILENO)
            return ExitStatus.success.rawValue
        case "--version":
            say("tarnd \(version)", to: STDOUT_FILENO)
            return ExitStatus.success.rawValue
        case nil:
            complain("a command is missing; see tarnd --help")
            return ExitStatus.usage.rawValue
        case let word?:
            complain("there is no command \"\(word)\"; see tarnd --help")
            return ExitStatus.usage.rawValue
        }
    }

    private static func serve(_ flags: [String], _ environment: [String: String]) -> ExitStatus {
        if flags.contains("--help") {
            say(help, to: STDOUT_FILENO)
            return .success
        }
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try read(flags, environment)
        } catch {
            complain(error.sentence)
            return error.sentence.contains("--help") ? .usage : .configuration
        }
        // Threads inherit the mask; the signals are waited for here alone.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let report = DaemonLog(level: configuration.logLevel)
        let descriptors = DescriptorLimit.raise()
        if descriptors < configuration.connections.all + DescriptorLimit.besideConnections {
            report.warning(
                "descriptors-few",
                ["limit": "\(descriptors)", "connections": "\(configuration.connections.all)"])
        }
        do throws(StartFailure) {
            let daemon = try Daemon(configuration, report: report)
            for address in try daemon.start() {
                report.info("listening", ["address": address, "data": configuration.dataFolder])
            }
            waitForEnd(of: daemon, signals: &signals, report: report)
            return .success
        } catch {
            complain(error.sentence)
            return error.status
        }
    }

    private static func waitForEnd(
        of daemon: Daemon, signals: inout sigset_t, report: DaemonLog
    ) {
        while true {
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { continue }
            if number == SIGHUP {
                daemon.reloadCertificate()
                continue
            }
            report.info("shutting-down", ["signal": number == SIGTERM ? "TERM" : "INT"])
            let done = ThreadGate()
            daemon.shutDown { done.open() }
            if !done.wait(seconds: 10) { report.warning("shutdown-incomplete") }
            report.info("stopped")
            return
        }
    }

    /// Flags, environment, and the file that is named or that is at the usual place.
    static func read(
        _ flags: [String], _ environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        var rest: [String] = []
        var path = environment["TARND_CONFIG"]
        var iterator = flags.makeIterator()
        while let flag = iterator.next() {
            if flag == "--config" {
                guard let value = iterator.next() else {
                    throw ConfigurationError("--config needs a value")
                }
                path = value
            } else if flag.hasPrefix("--config=") {
                path = String(flag.dropFirst("--config=".count))
            } else {
                rest.append(flag)
            }
        }
        var file: (path: String, text: String)?
        if let path {
            guard let text = TextFile.read(path) else {
                throw ConfigurationError("the configuration file \(path) cannot be read")
            }
            file = (path, text)
        } else if let text = TextFile.read(Configuration.defaultFile) {
            file = (Configuration.defaultFile, text)
        }
        return try ConfigurationReader.read(
            file: file, environment: environment, flags: rest,
            home: environment["HOME"] ?? "/var/lib", cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    static func complain(_ sentence: String) { say("tarnd: \(sentence)", to: STDERR_FILENO) }

    static func say(_ text: String, to descriptor: Int32) {
        let bytes = Array((text + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
