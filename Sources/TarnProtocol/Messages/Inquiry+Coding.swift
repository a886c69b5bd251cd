import TarnCBOR
import TarnModel

extension CBORWriter {
    /// `[[point, ...], [[sequence, hash], ...], sequence]`.
    mutating func write(_ inquiry: Inquiry) {
        writeArrayHeader(3)
        writeArrayHeader(inquiry.points.count)
        for point in inquiry.points { write(point) }
        writeArrayHeader(inquiry.probes.count)
        for probe in inquiry.probes {
            writeArrayHeader(2)
            write(probe.sequence)
            write(bytes: probe.hash.bytes)
        }
        write(inquiry.receiptsAfter)
    }

    /// `[point, sequence, [receipt, ...], foreign]`.
    mutating func write(_ findings: Findings) {
        writeArrayHeader(4)
        write(findings.common)
        write(findings.known)
        writeArrayHeader(findings.receipts.count)
        for receipt in findings.receipts { write(receipt) }
        write(findings.isForeign)
    }
}

extension CBORReader {
    mutating func readInquiry() throws(CBORError) -> Inquiry {
        try expectArray(3)
        var points: [ResumePoint] = []
        for _ in 0..<(try readCount(upTo: ProtocolLimits.pointsMax)) {
            points.append(try readResumePoint())
        }
        var probes: [Inquiry.Probe] = []
        for _ in 0..<(try readCount(upTo: ProtocolLimits.probesMax)) {
            try expectArray(2)
            let sequence = try readUInt64()
            probes.append(Inquiry.Probe(sequence: sequence, hash: try readChainHash()))
        }
        return Inquiry(points: points, probes: probes, receiptsAfter: try readUInt64())
    }

    private mutating func readCount(upTo max: Int) throws(CBORError) -> Int {
        let start = offset
        let count = try readArrayHeader()
        guard count <= max else { throw CBORError(.tooLarge, at: start) }
        return count
    }

    mutating func readFindings() throws(CBORError) -> Findings {
        try expectArray(4)
        let common = try readResumePoint()
        let known = try readUInt64()
        var receipts: [Receipt] = []
        for _ in 0..<(try readArrayHeader()) { receipts.append(try readReceipt()) }
        return Findings(
            common: common, known: known, receipts: receipts, isForeign: try readBool())
    }
}
