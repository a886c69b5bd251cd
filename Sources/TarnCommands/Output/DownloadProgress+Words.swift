import TarnStorage

extension DownloadProgress {
    /// "1200 of 5000 objects".
    var words: String { "\(done) of \(total) objects" }

    /// From 0 to 10.
    var tenths: UInt64 { total == 0 ? 0 : min(done, total) * 10 / total }
}
