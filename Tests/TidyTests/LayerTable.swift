/// Which target may import what, as `docs/architecture.md` has it. A new target is put here, below
/// everything that it imports.
struct Layer {
    let name: String
    let imports: Set<String>
    /// A pure layer has no clock, randomness, file or socket of its own: it is given them.
    let isPure: Bool

    static let table: [Layer] = [
        Layer("CLinux"),
        Layer("COpenSSL"),
        Layer("CSQLite"),
        Layer("CFuzzer"),

        Layer("TarnCBOR", pure: true),
        Layer("TarnModel", ["TarnCBOR"], pure: true),
        Layer("TarnQuery", values, pure: true),
        Layer("TarnProtocol", domain, pure: true),
        Layer("TarnStorage", domain, ["Synchronization"], pure: true),
        Layer("TarnServer", domain, sisters, ["Synchronization"], pure: true),
        Layer("TarnClient", domain, sisters, ["Synchronization"], pure: true),

        Layer("TarnSQLite", domain, ["TarnStorage", "CSQLite"], system),
        Layer("TarnCrypto", ["COpenSSL"], system),
        Layer("TarnTransport", ["TarnCBOR", "CLinux", "COpenSSL"], system),

        Layer(
            "Tarn", domain, sisters, machinery, ["TarnClient", "CLinux", "FoundationEssentials"],
            system),
        Layer(
            "TarnCommands", domain,
            [
                "Tarn", "TarnClient", "TarnProtocol", "TarnStorage", "CLinux",
                "FoundationEssentials",
            ], system),
        Layer("TarnDaemon", domain, sisters, machinery, ["TarnServer", "CLinux"], system),
        Layer(
            "TarnSimulator", domain, sisters, ["TarnServer", "TarnClient", "Synchronization"],
            pure: true),
        Layer(
            "TarnFuzzing", domain, sisters, ["TarnServer", "TarnClient", "TarnTransport"], system),

        Layer("tarn-cli", ["TarnCommands"], system),
        Layer("tarnd", ["TarnDaemon"], system),
        Layer("tarn-simulate", ["TarnSimulator"], system),
        // In C, and needed by the benchmark as a program alone.
        Layer("tarn-echo-floor", ["COpenSSL"]),
        Layer("tarn-fuzz", ["TarnFuzzing", "CFuzzer"], system),
        Layer(
            "tarn-bench", domain, sisters, machinery,
            [
                "TarnServer", "TarnClient", "Tarn", "TarnCommands", "TarnDaemon", "TarnSimulator",
                "CLinux", "COpenSSL", "CSQLite",
            ], system),
    ]

    static func named(_ name: String) -> Layer? {
        table.first { $0.name == name }
    }

    /// What comes with the toolchain and reaches the machine.
    static let system: Set<String> = ["Glibc", "Synchronization"]

    private static let values: Set<String> = ["TarnModel", "TarnCBOR"]
    private static let domain: Set<String> = ["TarnQuery", "TarnModel", "TarnCBOR"]
    private static let sisters: Set<String> = ["TarnProtocol", "TarnStorage"]
    private static let machinery: Set<String> = ["TarnSQLite", "TarnCrypto", "TarnTransport"]

    private init(_ name: String, _ imports: Set<String>..., pure: Bool = false) {
        self.name = name
        self.imports = imports.reduce(into: []) { $0.formUnion($1) }
        isPure = pure
    }
}
