import TarnModel

/// Values whose every bit counts.
enum RealmValues {
    /// Both zeros, both infinities, numbers that are whole, the least and the greatest, and NaNs
    /// of either sign, signalling too, with something in them.
    static let doubles: [Real] = [
        0.0, -0.0, 1.0, -1.0, 1.5, 0.1, 9_007_199_254_740_992.0, 1e300, -1e-300,
        Real(.leastNonzeroMagnitude), Real(-.leastNonzeroMagnitude),
        Real(.leastNormalMagnitude.nextDown), Real(.greatestFiniteMagnitude), Real(.infinity),
        Real(-.infinity), Real(.nan), Real(bits: 0xFFF8_0000_0000_0000),
        Real(bits: 0x7FF8_0000_DEAD_BEEF), Real(bits: 0x7FF0_0000_0000_0001),
        Real(bits: 0xFFFF_FFFF_FFFF_FFFF), Real(Double(Int64.max)), Real(Double(Int64.min)),
    ]

    /// With nothing in them, with zeros, and such as look like a NaN or a text.
    static let data: [[UInt8]] = [
        [], [0], [0, 0], [255, 0, 1], Array("12".utf8), [0x7F, 0xF8, 0, 0, 0, 0, 0, 0],
        Array(repeating: 7, count: 1024),
    ]
}
