/// Stands in for SHA-256: as long, another one for other bytes, and much cheaper. The chain asks
/// for no more, and nobody attacks a simulation.
enum Digest {
    @Sendable static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        let dice = Dice(seed: hash)
        return (0..<4).flatMap { _ in
            let word = dice.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        }
    }
}
