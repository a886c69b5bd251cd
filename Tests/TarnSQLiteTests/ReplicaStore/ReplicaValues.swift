import TarnModel

/// Values whose every bit counts.
enum ReplicaValues {
    /// Both zeros, both infinities, numbers that are whole, the least, and NaNs of either sign,
    /// signalling too, with something in them.
    static let doubles: [Real] = [
        0.0, -0.0, 1.0, Real(.nan), Real(bits: 0xFFF8_0000_DEAD_BEEF), Real(.infinity),
        Real(bits: 0x7FF0_0000_0000_0001), Real(.leastNonzeroMagnitude), Real(-.infinity), 1.5,
        Real(.leastNormalMagnitude.nextDown), Real(Double(Int64.max)),
    ]

    /// With nothing in them, with zeros, and such as look like a NaN or a text.
    static let data: [[UInt8]] = [
        [], [0], [0, 0], [255, 0, 1], Array("12".utf8), [0x7F, 0xF8, 0, 0, 0, 0, 0, 0],
        Array(repeating: 7, count: 1024),
    ]
}
