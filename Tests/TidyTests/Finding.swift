import Testing

/// One place that a rule refuses.
struct Finding: CustomStringConvertible {
    let path: String
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}

/// Fails the test once for each finding, so that each is a line of its own in the output.
func refuse(_ findings: [Finding]) {
    for finding in findings {
        Issue.record(Comment(rawValue: finding.description))
    }
}

/// The lines of a bad snippet at which a rule finds something.
func lines(_ findings: [Finding]) -> [Int] {
    findings.map(\.line)
}
