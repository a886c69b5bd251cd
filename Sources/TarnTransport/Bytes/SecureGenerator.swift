internal import COpenSSL

/// Random numbers that nobody can foretell, drawn from libcrypto a few hundred bytes at a time:
/// a masking key then costs nanoseconds instead of a system call.
struct SecureGenerator: RandomNumberGenerator {
    private var pool = [UInt64](repeating: 0, count: 64)
    private var used = 64

    mutating func next() -> UInt64 {
        if used == pool.count { refill() }
        defer { used += 1 }
        return pool[used]
    }

    private mutating func refill() {
        used = 0
        let done = pool.withUnsafeMutableBytes {
            RAND_bytes($0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count))
        }
        if done == 1 { return }
        // libcrypto asks the same kernel, so this is a second way to the same source.
        var system = SystemRandomNumberGenerator()
        for index in pool.indices { pool[index] = system.next() }
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
