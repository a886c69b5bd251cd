import TarnTransport
import Testing

@Suite struct EndpointTests {
    @Test(
        arguments: [
            ("localhost", "localhost", 1, "/sync"), ("a.b:7443", "a.b", 7443, "/sync"),
            ("[::1]:5", "::1", 5, "/sync"), ("[::1]", "::1", 1, "/sync"),
            ("::1", "::1", 1, "/sync"),
            ("wss://a:2/x/y", "a", 2, "/x/y"), ("wss://a/", "a", 1, "/sync"),
            ("127.0.0.1:65535", "127.0.0.1", 65_535, "/sync"),
        ] as [(String, String, UInt16, String)])
    func `what a person writes is understood`(
        text: String, host: String, port: UInt16, path: String
    ) {
        let endpoint = Endpoint(text, defaultPort: 1)

        #expect(endpoint == Endpoint(host: host, port: port, path: path))
    }

    @Test(arguments: [
        "", ":5", "a:0", "a:65536", "a:b", "a:", "http://a", "ws://a", "[::1", "[::1]5", "a b",
        "a\r\nb", "wss://a/ b", "wss://a/\u{e9}",
    ])
    func `what is no endpoint is refused`(text: String) {
        #expect(Endpoint(text, defaultPort: 1) == nil)
    }
}
