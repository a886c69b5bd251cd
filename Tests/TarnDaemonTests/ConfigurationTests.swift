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

    @Test(arguments: [
        ("nonsense", "tarnd.conf:1: a line is \"name = value\""),
        ("data =", "tarnd.conf:1: the value is empty"),
        ("\nfoo = 1", "tarnd.conf:2: there is no setting \"foo\""),
        ("loops = many", "tarnd.conf:1: \"many\" is not a number from 1 to 256"),
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
