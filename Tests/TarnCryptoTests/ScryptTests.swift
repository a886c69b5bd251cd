import TarnCrypto
import Testing

@Suite struct ScryptTests {
    // RFC 7914, section 12: the first two vectors.
    @Test(arguments: [
        (
            "", "", 4, 1, 1,
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", 10, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
    ])
    func `the keys of the standard come out`(
        password: String, salt: String, exponent: Int, block: Int, parallelism: Int, key: String
    ) throws {
        let scrypt = Scrypt(costExponent: exponent, blockSize: block, parallelism: parallelism)

        let made = try scrypt.key(
            password: Array(password.utf8), salt: Array(salt.utf8), count: 64)

        #expect(hexadecimal(made) == key)
    }

    @Test func `the parameters for passwords are within the memory that is asked for`() throws {
        let password = Array("correct horse".utf8)

        let one = try Scrypt.password.key(password: password, salt: [1, 2, 3])
        let other = try Scrypt.password.key(password: password, salt: [1, 2, 4])

        #expect(one.count == 32)
        #expect(one != other)
    }

    @Test(arguments: [
        (0, 8, 1), (25, 8, 1), (15, 0, 1), (15, 65, 1), (15, 8, 0), (.max, .max, .max),
    ])
    func `parameters out of bounds are refused`(exponent: Int, block: Int, parallelism: Int) {
        let scrypt = Scrypt(costExponent: exponent, blockSize: block, parallelism: parallelism)

        #expect(throws: CryptoError(.badParameters, while: "deriving a key from a password")) {
            try scrypt.key(password: [1], salt: [2])
        }
    }
}
