import Glibc
import TarnTesting
import Testing

/// The configurations of `docs/proxies`, each as it is, with the real programs on both sides.
@Suite(.serialized)
struct ProxyTests {
    private static let installed = ProxyProcess.Kind.all.filter { $0.path != nil }

    @Test(
        .enabled(
            if: installed.count == ProxyProcess.Kind.all.count,
            "nginx or haproxy is not installed; scripts/setup.sh --tests does that"),
        arguments: ProxyProcess.Kind.all)
    func `people work through a proxy, also while it reloads and after it was away`(
        kind: ProxyProcess.Kind
    ) throws {
        let trust = kind.endsTLS ? ["--trusted-proxies", "127.0.0.1"] : []
        let town = try Town(options: ["--log-level", "debug"] + trust)
        let proxy = try ProxyProcess(kind, to: town.port, in: town.folder)
        let entered = try town.enter(
            "alice", on: "laptop", isNew: true, proxyPort: proxy.port)
        #expect(entered.status == 0, "\(entered)")
        try town.tarn("laptop", "project", "add", "Groceries")
        try town.tarn("laptop", "add", "Milk")
        #expect(try town.enter("alice", on: "desk", proxyPort: proxy.port).status == 0)
        let watch = try town.start("desk", ["watch"])
        #expect(watch.says("Milk"))

        try town.tarn("laptop", "add", "Bread")
        #expect(watch.says("+ 1 Bread"))

        #expect(proxy.reload())
        try town.tarn("laptop", "add", "Eggs")
        #expect(watch.says("+ 2 Eggs"))

        proxy.end()
        #expect(try town.tarn("laptop", "add", "Butter").status == 0)
        try proxy.start()
        let isSent = try Deadline(seconds: 30).wait {
            try town.tarn("laptop", "sync").status == 0
        }
        #expect(isSent)
        #expect(watch.says("+ 3 Butter", seconds: 40))
        #expect(watch.end(by: SIGINT) == 0)

        if kind.endsTLS { expectClient("127.0.0.5", behind: proxy, of: town) }
    }

    /// Somebody with an address of his own comes, of which the daemon hears from the proxy.
    private func expectClient(_ address: String, behind proxy: ProxyProcess, of town: Town) {
        let headers = [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: tarn.1",
            // A forged word counts for nothing.
            "X-Forwarded-For: 203.0.113.9",
        ].map { "-H '\($0)'" }.joined(separator: " ")
        _ = system(
            "curl -s -o /dev/null -m 2 --http1.1 --cacert '\(TestCertificates.shared.authority)' "
                + "--interface \(address) \(headers) https://localhost:\(proxy.port)/sync")
        let line = town.daemon.logged(" connected ", "client=\(address)")
        #expect(line?.contains("peer=127.0.0.1:") == true)
    }
}
