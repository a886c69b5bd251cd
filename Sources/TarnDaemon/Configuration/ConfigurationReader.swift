import TarnServer
import TarnTransport

/// What is wrong with a configuration, as a sentence that names the place.
package struct ConfigurationError: Error, Equatable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// Reads a configuration from a file, then the environment, then flags: the later wins, and one
/// name serves all three (`data` in the file, `TARND_DATA`, `--data`).
package struct ConfigurationReader {
    private var configuration: Configuration
    private var hasListen = false

    /// - Parameters:
    ///   - file: the text of the configuration file, and its path for messages.
    ///   - flags: what follows `tarnd serve`, without `--config` and its value.
    package static func read(
        file: (path: String, text: String)?, environment: [String: String], flags: [String],
        home: String, cores: Int
    ) throws(ConfigurationError) -> Configuration {
        let data =
            environment["XDG_DATA_HOME"].map { "\($0)/tarnd" } ?? "\(home)/.local/share/tarnd"
        var reader = ConfigurationReader(
            configuration: Configuration(dataFolder: data, cores: cores))
        if let file { try reader.readFile(file.text, path: file.path) }
        try reader.readEnvironment(environment)
        try reader.readFlags(flags)
        return reader.configuration
    }

    private init(configuration: Configuration) { self.configuration = configuration }

    private mutating func readFile(
        _ text: String, path: String
    ) throws(ConfigurationError) {
        hasListen = false
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let content = line.trimmingSpaces
            guard !content.isEmpty, content.first != "#" else { continue }
            let place = "\(path):\(index + 1)"
            guard let equals = content.firstIndex(of: "=") else {
                throw ConfigurationError("\(place): a line is \"name = value\"")
            }
            let name = String(content[..<equals].trimmingSpaces)
            let value = String(content[content.index(after: equals)...].trimmingSpaces)
            try set(name, to: value, at: place)
        }
    }

    private mutating func readEnvironment(
        _ environment: [String: String]
    ) throws(ConfigurationError) {
        hasListen = false
        for name in Self.names {
            let variable = "TARND_" + name.uppercased().map { $0 == "-" ? "_" : $0 }
            if let value = environment[variable] { try set(name, to: value, at: variable) }
        }
    }

    private mutating func readFlags(_ flags: [String]) throws(ConfigurationError) {
        hasListen = false
        var rest = flags[...]
        while let flag = rest.popFirst() {
            guard flag.hasPrefix("--") else {
                throw ConfigurationError("\"\(flag)\" is not understood; see tarnd --help")
            }
            let parts = flag.dropFirst(2).split(separator: "=", maxSplits: 1)
            let name = parts.first.map(String.init) ?? ""
            if Self.switches.contains(name), parts.count == 1 {
                try set(name, to: "yes", at: flag)
            } else if parts.count == 2 {
                try set(name, to: String(parts[1]), at: "--\(name)")
            } else if !Self.names.contains(name) {
                throw ConfigurationError("there is no option \(flag); see tarnd --help")
            } else if let value = rest.popFirst() {
                try set(name, to: value, at: flag)
            } else {
                throw ConfigurationError("\(flag) needs a value")
            }
        }
    }

    private static let switches: Set<String> = [
        "allow-nicknames", "no-registration", "allow-tls12",
    ]
    private static let names = [
        "data", "listen", "certificate", "key", "allow-nicknames", "no-registration",
        "allow-tls12", "log-level", "loops", "realm-threads", "connections",
        "connections-by-address", "strangers", "strangers-by-address", "trusted-proxies",
        "metrics", "min-free-space", "history-days", "history-versions", "history-size",
    ]

    private mutating func set(
        _ name: String, to value: String, at place: String
    ) throws(ConfigurationError) {
        guard !value.isEmpty else { throw ConfigurationError("\(place): the value is empty") }
        switch name {
        case "data": configuration.dataFolder = value
        case "listen":
            // Several in one source add up; a later source replaces an earlier one.
            if !hasListen { configuration.listen = [] }
            hasListen = true
            configuration.listen += value.split(separator: ",").map { String($0.trimmingSpaces) }
        case "certificate": configuration.certificate = value
        case "key": configuration.key = value
        case "allow-nicknames": configuration.allowsNicknames = try flag(value, place)
        case "no-registration": configuration.allowsRegistration = try !flag(value, place)
        case "allow-tls12": configuration.allowsTLS12 = try flag(value, place)
        case "log-level":
            guard let level = LogLevel(value) else {
                throw ConfigurationError(
                    "\(place): a log level is debug, info, warning or error, not \"\(value)\"")
            }
            configuration.logLevel = level
        case "loops": configuration.loops = try count(value, place)
        case "realm-threads": configuration.realmThreads = try count(value, place)
        case "connections": configuration.connections.all = try bound(value, place)
        case "connections-by-address":
            configuration.connections.byAddress = try bound(value, place)
        case "strangers": configuration.connections.strangers = try bound(value, place)
        case "strangers-by-address":
            configuration.connections.strangersByAddress = try bound(value, place)
        case "trusted-proxies": configuration.trustedProxies = try ranges(value, place)
        case "metrics": configuration.metrics = value
        case "min-free-space": configuration.freeSpaceMin = try byteCount(value, place)
        case "history-days":
            configuration.history.days = try number(value, from: 0, atMost: 36_500, place)
        case "history-versions":
            configuration.history.versions = try number(value, from: 0, atMost: 1 << 40, place)
        case "history-size": configuration.history.bytes = try byteCount(value, place)
        default: throw ConfigurationError("\(place): there is no setting \"\(name)\"")
        }
    }

    private func flag(_ value: String, _ place: String) throws(ConfigurationError) -> Bool {
        switch value {
        case "yes", "true", "on", "1": true
        case "no", "false", "off", "0": false
        default: throw ConfigurationError("\(place): \"\(value)\" is neither yes nor no")
        }
    }

    /// Bytes, or as many times 1024 as the letter at the end says.
    private func byteCount(_ value: String, _ place: String) throws(ConfigurationError) -> Int {
        let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
        let shift = value.last.flatMap { shifts[$0] }
        let digits = shift == nil ? value[...] : value.dropLast()
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(digits),
            count <= Int.max >> (shift ?? 0)
        else {
            throw ConfigurationError(
                "\(place): \"\(value)\" is not a size as 1000000, 256M or 2G")
        }
        return count << (shift ?? 0)
    }

    private func count(_ value: String, _ place: String) throws(ConfigurationError) -> Int {
        try number(value, atMost: 256, place)
    }

    private func bound(_ value: String, _ place: String) throws(ConfigurationError) -> Int {
        try number(value, atMost: 1_000_000, place)
    }

    private func number(
        _ value: String, from least: Int = 1, atMost most: Int, _ place: String
    ) throws(ConfigurationError) -> Int {
        guard let number = Int(value), (least...most).contains(number) else {
            throw ConfigurationError(
                "\(place): \"\(value)\" is not a number from \(least) to \(most)")
        }
        return number
    }

    private func ranges(
        _ value: String, _ place: String
    ) throws(ConfigurationError) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for text in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = AddressRange(text.trimmingSpaces) else {
                throw ConfigurationError(
                    "\(place): \"\(text.trimmingSpaces)\" is no address, nor a range as 10.0.0.0/8")
            }
            ranges.append(range)
        }
        return ranges
    }
}

extension StringProtocol {
    /// Without the spaces and tabs at both ends.
    fileprivate var trimmingSpaces: SubSequence {
        var text = self[...]
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
