package import TarnCBOR

extension CBORWriter {
    /// `[sequence, hash, version, ticks, outcome]`.
    package mutating func write(_ receipt: Receipt) {
        writeArrayHeader(5)
        write(receipt.sequence)
        write(bytes: receipt.hash.bytes)
        write(receipt.version.number)
        write(receipt.ticks)
        write(receipt.outcome)
    }

    /// `[0]`, `[1, [override, ...]]`, `[2, code, sentence]` or `[3, creator, sentence]`.
    package mutating func write(_ outcome: Outcome) {
        switch outcome {
        case .accepted:
            writeArrayHeader(1)
            write(0)
        case .overridden(let overrides):
            writeArrayHeader(2)
            write(1)
            writeArrayHeader(overrides.count)
            for override in overrides { write(override) }
        case .refused(let refusal):
            writeArrayHeader(3)
            write(2)
            write(refusal.code.rawValue)
            write(refusal.sentence)
        case .parked(let parking):
            writeArrayHeader(3)
            write(3)
            write(parking.creator)
            write(parking.sentence)
        }
    }

    /// `[class, key, property or null, reason]`, and where they are known the winner's user and
    /// value.
    private mutating func write(_ override: Override) {
        writeArrayHeader(override.winner == nil ? 4 : override.winner?.value == nil ? 5 : 6)
        write(override.className)
        write(override.key)
        if let property = override.property { write(property) } else { writeNull() }
        write(override.reason.rawValue)
        guard let winner = override.winner else { return }
        write(winner.user)
        if let value = winner.value { write(value) }
    }
}

extension CBORReader {
    package mutating func readReceipt() throws(CBORError) -> Receipt {
        try expectArray(5)
        let sequence = try readUInt64()
        let hash = try readChainHash()
        let version = Version(try readUInt64())
        let ticks = try readUInt64()
        return Receipt(
            sequence: sequence, hash: hash, version: version, ticks: ticks,
            outcome: try readOutcome())
    }

    package mutating func readOutcome() throws(CBORError) -> Outcome {
        let start = offset
        let fields = try readArrayHeader()
        switch (try readUInt64(), fields) {
        case (0, 1):
            return .accepted
        case (1, 2):
            var overrides: [Override] = []
            for _ in 0..<(try readArrayHeader()) { overrides.append(try readOverride()) }
            return .overridden(overrides)
        case (2, 3):
            guard let code = Refusal.Code(rawValue: try readUInt64()) else {
                throw CBORError(.malformed, at: start)
            }
            return .refused(Refusal(code, try readText()))
        case (3, 3):
            let creator = try readTransactionID()
            return .parked(Parking(creator: creator, sentence: try readText()))
        default:
            throw CBORError(.malformed, at: start)
        }
    }

    private mutating func readOverride() throws(CBORError) -> Override {
        let start = offset
        let fields = try readArrayHeader()
        guard (4...6).contains(fields) else { throw CBORError(.malformed, at: start) }
        let className = try readText()
        let key = try readKey()
        let property: String? = try skipNull() ? nil : try readText()
        guard let reason = Override.Reason(rawValue: try readUInt64()) else {
            throw CBORError(.malformed, at: start)
        }
        var winner: Override.Winner?
        if fields > 4 {
            let user = try readText()
            winner = Override.Winner(user: user, value: fields == 6 ? try readValue() : nil)
        }
        return Override(
            className: className, key: key, property: property, reason: reason, winner: winner)
    }
}
