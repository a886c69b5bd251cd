// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is held to the same rules; `public` stands in `Tarn` alone, and each file
/// says what its interface leaks.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func layer(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: ["README.md"], swiftSettings: strict)
}

func product(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, exclude: ["README.md"], swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TarnTesting"], swiftSettings: strict)
}

let package = Package(
    name: "tarn",
    products: [
        .library(name: "Tarn", targets: ["Tarn"]),
        .executable(name: "tarn", targets: ["tarn-cli"]),
        .executable(name: "tarnd", targets: ["tarnd"]),
        .executable(name: "tarn-simulate", targets: ["tarn-simulate"]),
        .executable(name: "tarn-bench", targets: ["tarn-bench"]),
    ],
    targets: [
        // What the system brings.
        .systemLibrary(name: "CLinux", path: "Sources/CLinux"),
        .systemLibrary(
            name: "COpenSSL", path: "Sources/COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CFuzzer", path: "Sources/CFuzzer"),

        // What has no input or output.
        layer("TarnCBOR"),
        layer("TarnModel", ["TarnCBOR"]),
        layer("TarnQuery", ["TarnModel"]),
        layer("TarnProtocol", ["TarnQuery", "TarnModel", "TarnCBOR"]),
        layer("TarnStorage", ["TarnQuery", "TarnModel", "TarnCBOR"]),
        layer("TarnServer", ["TarnProtocol", "TarnStorage", "TarnQuery", "TarnModel", "TarnCBOR"]),
        layer("TarnClient", ["TarnProtocol", "TarnStorage", "TarnQuery", "TarnModel", "TarnCBOR"]),

        // The machinery.
        layer("TarnSQLite", ["TarnStorage", "TarnQuery", "TarnModel", "TarnCBOR", "CSQLite"]),
        layer("TarnCrypto", ["COpenSSL"]),
        layer("TarnTransport", ["TarnCBOR", "CLinux", "COpenSSL"]),

        // What joins them.
        layer(
            "Tarn",
            [
                "TarnClient", "TarnSQLite", "TarnTransport", "TarnCrypto", "TarnProtocol",
                "TarnStorage", "TarnQuery", "TarnModel", "TarnCBOR", "CLinux",
            ]),
        layer(
            "TarnCommands",
            [
                "Tarn", "TarnClient", "TarnStorage", "TarnQuery", "TarnModel", "TarnProtocol",
                "CLinux",
            ]),
        layer(
            "TarnDaemon",
            [
                "TarnServer", "TarnSQLite", "TarnTransport", "TarnCrypto", "TarnProtocol",
                "TarnStorage", "TarnModel", "TarnCBOR", "CLinux",
            ]),
        layer(
            "TarnSimulator",
            ["TarnServer", "TarnClient", "TarnProtocol", "TarnStorage", "TarnQuery", "TarnModel"]),
        layer(
            "TarnFuzzing",
            [
                "TarnServer", "TarnClient", "TarnTransport", "TarnProtocol", "TarnStorage",
                "TarnQuery", "TarnModel", "TarnCBOR",
            ]),

        // The programs.
        .executableTarget(
            name: "tarn-cli", dependencies: ["TarnCommands"], exclude: ["README.md"],
            swiftSettings: strict),
        product("tarnd", ["TarnDaemon"]),
        product("tarn-simulate", ["TarnSimulator"]),
        .executableTarget(
            name: "tarn-echo-floor", dependencies: ["COpenSSL"], exclude: ["README.md"],
            cSettings: [.define("_GNU_SOURCE")]),
        product("tarn-fuzz", ["TarnFuzzing", "CFuzzer"]),
        product(
            "tarn-bench",
            [
                "TarnClient", "TarnTransport", "TarnCrypto", "TarnProtocol", "TarnModel",
                "TarnCBOR", "CLinux",
            ]),

        // What the tests share, in no product.
        .target(name: "TarnTesting", path: "Tests/TarnTesting", swiftSettings: strict),

        tests("TarnCBORTests", ["TarnCBOR"]),
        tests("TarnModelTests", ["TarnModel", "TarnCBOR"]),
        tests(
            "TarnProtocolTests",
            [
                "TarnProtocol", "TarnServer", "TarnStorage", "TarnModel", "TarnCBOR", "TarnCrypto",
            ]),
        tests("TarnQueryTests", ["TarnQuery", "TarnModel", "TarnSQLite", "TarnStorage"]),
        tests(
            "TarnServerTests",
            [
                "TarnServer", "TarnProtocol", "TarnStorage", "TarnQuery", "TarnModel", "TarnCBOR",
            ]),
        tests("TarnCryptoTests", ["TarnCrypto"]),
        tests(
            "TarnStorageTests",
            ["TarnStorage", "TarnSQLite", "TarnQuery", "TarnModel", "TarnCBOR"]),
        tests(
            "TarnSQLiteTests",
            ["TarnSQLite", "TarnStorage", "TarnQuery", "TarnModel", "TarnCBOR", "CSQLite"]),
        tests("TarnTransportTests", ["TarnTransport"]),
        tests(
            "TarnClientTests",
            ["TarnClient", "TarnProtocol", "TarnSQLite", "TarnStorage", "TarnQuery", "TarnModel"]),
        tests(
            "TarnDaemonTests",
            [
                "TarnDaemon", "TarnClient", "TarnSQLite", "TarnTransport", "TarnCrypto",
                "TarnProtocol", "TarnStorage", "TarnModel", "CLinux", "tarnd",
            ]),
        tests(
            "TarnTests",
            [
                "Tarn", "TarnClient", "TarnTransport", "TarnProtocol", "TarnStorage", "TarnModel",
                "tarnd",
            ]),
        tests(
            "TarnCommandsTests",
            [
                "TarnCommands", "Tarn", "TarnClient", "TarnProtocol", "TarnStorage", "TarnModel",
            ]),
        tests(
            "TarnEndToEndTests",
            [
                "tarnd", "tarn-cli", "TarnServer", "TarnClient", "TarnSQLite", "TarnStorage",
                "TarnQuery", "TarnModel", "CSQLite",
            ]),
        tests(
            "TarnSimulatorTests",
            [
                "TarnSimulator", "TarnClient", "TarnServer", "TarnProtocol", "TarnStorage",
                "TarnModel",
            ]),
        tests("TarnFuzzingTests", ["TarnFuzzing"]),
        tests("TidyTests", []),
    ]
)
