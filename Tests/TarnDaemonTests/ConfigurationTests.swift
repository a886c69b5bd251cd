import TarnServer
import TarnTransport
import Testing

@testable import TarnDaemon

struct ConfigurationTests {
    private func read(
        file: String? = nil, environment: [String: String] = [:], _ flags: String...
    ) throws(ConfigurationError) -> Configuration {
        try ConfigurationReader.read(
            file: file.map { ("tarnd.conf", $0) }, environment: environment, flags: flags,
            home: "/home/ann", cores: 4)
    }

    @Test
    func `flags win over the environment, and the environment over the file`() throws {
        let text = "data = /file\nlog-level = error\n# a comment\n\nlisten = file:1"
        let environment = ["TARND_DATA": "/environment", "TARND_LISTEN": "environment:2,b:3"]

        let configuration = try read(file: text, environment: environment, "--data", "/flag")

        #expect(configuration.dataFolder == "/flag")
        #expect(configuration.logLevel == .error)
        #expect(configuration.listen == ["environment:2", "b:3"])
    }

    @Test
    func `without a word it listens on the loopback and keeps data in the home folder`() throws {
        let configuration = try read()

        #expect(configuration.listen == ["localhost:8276"])
        #expect(configuration.dataFolder == "/home/ann/.local/share/tarnd")
        #expect(!configuration.allowsNicknames)
    }

    @Test
    func `several listen flags add up, and an equals sign is as good as a space`() throws {
        let configuration = try read("--listen=a:1", "--listen", "b:2", "--allow-nicknames")

        #expect(configuration.listen == ["a:1", "b:2"])
        #expect(configuration.allowsNicknames)
    }

    @Test(arguments: [(1, 1, 1), (2, 2, 1), (4, 4, 2), (5, 5, 2)])
    func `without a word there is a loop for each core, and half as many threads for realms`(
        cores: Int, loops: Int, realmThreads: Int
    ) throws {
        let configuration = try ConfigurationReader.read(
            file: nil, environment: [:], flags: [], home: "/", cores: cores)

        #expect(configuration.loops == loops)
        #expect(configuration.realmThreads == realmThreads)
    }

    @Test
    func `how many connections there may be is set by numbers`() throws {
        let usual = try read().connections

        let bounds = try read(
            file: "connections = 1\nstrangers = 5",
            environment: ["TARND_STRANGERS_BY_ADDRESS": "3"],
            "--connections", "1000000", "--connections-by-address=1"
        ).connections

        #expect(usual.all == 10_000 && usual.byAddress == 1_000)
        #expect(usual.strangers == 1_000 && usual.strangersByAddress == 100)
        #expect(bounds.all == 1_000_000 && bounds.byAddress == 1)
        #expect(bounds.strangers == 5 && bounds.strangersByAddress == 3)
    }

    @Test
    func `how much of the past is kept is set by days, versions and bytes`() throws {
        let usual = try read().history

        let policy = try read(
            file: "history-days = 7", environment: ["TARND_HISTORY_SIZE": "1G"],
            "--history-versions", "0"
        ).history

        #expect(usual.days == 30 && usual.versions == 100_000 && usual.bytes == 256 << 20)
        #expect(policy.days == 7 && policy.versions == 0 && policy.bytes == 1 << 30)
        for flag in ["--history-days=-1", "--history-versions=x", "--history-days=36501"] {
            #expect(throws: ConfigurationError.self) { try read(flag) }
        }
    }

    @Test
    func `trusted proxies are addresses and ranges`() throws {
        let proxies = try read("--trusted-proxies", "192.0.2.1, 10.0.0.0/8,2001:db8::/32")
            .trustedProxies

        #expect(try read().trustedProxies.isEmpty)
        #expect(
            proxies == ["192.0.2.1", "10.0.0.0/8", "2001:db8::/32"].compactMap { AddressRange($0) })
    }

    @Test(arguments: [
        ("0", 0), ("4096", 4096), ("1K", 1024), ("256M", 256 << 20), ("2G", 2 << 30),
        ("1T", 1 << 40),
    ])
    func `a size may have a letter`(text: String, byteCount: Int) throws {
        #expect(try read("--min-free-space", text).freeSpaceMin == byteCount)
    }

    @Test(arguments: ["", "M", "1KB", "-1", "1.5G", "ten", "9000000T", "99999999999999999999"])
    func `what is no size is refused`(text: String) {
        #expect(throws: ConfigurationError.self) { try read("--min-free-space=\(text)") }
        #expect(throws: ConfigurationError.self) { try read(file: "min-free-space = \(text)") }
    }

    @Test
    func `figures are told nowhere without a word, and where it says`() throws {
        #expect(try read().metrics == nil)
        #expect(try read(file: "metrics = 127.0.0.1:9276").metrics == "127.0.0.1:9276")
        #expect(try read(environment: ["TARND_METRICS": "[::1]:1"]).metrics == "[::1]:1")
    }

    @Test(arguments: [
        ("nonsense", "tarnd.conf:1: a line is \"name = value\""),
        ("data =", "tarnd.conf:1: the value is empty"),
        ("\nfoo = 1", "tarnd.conf:2: there is no setting \"foo\""),
        ("loops = many", "tarnd.conf:1: \"many\" is not a number from 1 to 256"),
        ("connections = 0", "tarnd.conf:1: \"0\" is not a number from 1 to 1000000"),
        ("strangers = 1000001", "tarnd.conf:1: \"1000001\" is not a number from 1 to 1000000"),
        ("connections-by-address = -3", "tarnd.conf:1: \"-3\" is not a number from 1 to 1000000"),
        ("strangers-by-address = 1.5", "tarnd.conf:1: \"1.5\" is not a number from 1 to 1000000"),
        (
            "trusted-proxies = 10.0.0.1,",
            "tarnd.conf:1: \"\" is no address, nor a range as 10.0.0.0/8"
        ),
        (
            "trusted-proxies = proxy.example",
            "tarnd.conf:1: \"proxy.example\" is no address, nor a range as 10.0.0.0/8"
        ),
        ("allow-nicknames = maybe", "tarnd.conf:1: \"maybe\" is neither yes nor no"),
    ])
    func `a bad line of the file is named with its place`(line: String, sentence: String) {
        #expect(throws: ConfigurationError(sentence)) { try read(file: line) }
    }

    @Test(arguments: [
        (["--data"], "--data needs a value"),
        (["--dta", "x"], "there is no option --dta; see tarnd --help"),
        (["stray"], "\"stray\" is not understood; see tarnd --help"),
        (
            ["--log-level", "loud"],
            "--log-level: a log level is debug, info, warning or error, not \"loud\""
        ),
    ])
    func `a bad flag gets one sentence`(flags: [String], sentence: String) {
        #expect(throws: ConfigurationError(sentence)) {
            try ConfigurationReader.read(
                file: nil, environment: [:], flags: flags, home: "/", cores: 1)
        }
    }
}
