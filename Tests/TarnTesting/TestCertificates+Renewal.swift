import Glibc

extension TestCertificates {
    /// A copy in a folder of its own, for a test that replaces files.
    package static func copy() -> TestCertificates {
        let copy = TestCertificates(folder: TemporaryFolder("tarn-certificates"))
        run("cp '\(shared.folder.path)'/* '\(copy.folder.path)'")
        return copy
    }

    /// Puts another certificate of the same authority in place of the server's, with another key.
    /// - Parameter days: how long it is valid; less than 0 for one that has ended.
    package func renew(days: Int = 90) {
        Self.run(
            """
            cd '\(folder.path)' &&
            openssl ecparam -name prime256v1 -genkey -noout -out server.key &&
            echo 'subjectAltName=DNS:localhost,IP:127.0.0.1' > renewal.ext &&
            openssl req -new -key server.key -subj /CN=localhost | openssl x509 -req -days \(days) \
            -CA ca.pem -CAkey ca.key -set_serial 0x$(openssl rand -hex 8) -extfile renewal.ext \
            -out server.pem
            """)
    }

    private static func run(_ command: String) {
        let status = system("(\(command)) >/dev/null 2>&1")
        precondition(status == 0, "the certificates could not be made: \(command)")
    }
}
