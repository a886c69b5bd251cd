/// What a server's connection counts as. A client's counts nowhere.
extension SecureConnection {
    /// Whether it counts among those whose peer is not known. For an owner who finds out who it is
    /// by what is said on it; see `ConnectionCensus.StrangerEnd`.
    package var isStranger: Bool {
        get { place?.isStranger ?? false }
        set {
            loop.preconditionOnThread()
            place?.setStranger(newValue)
        }
    }

    /// Counts it from now on with another address than its socket's, which a trusted proxy has
    /// told. If there is no more room for that address this throws, nothing changes, and the
    /// connection should be given an answer of 503 and an end.
    package func count(from address: NetworkAddress) throws(ConnectionCensus.Refusal) {
        loop.preconditionOnThread()
        try place?.move(to: address)
    }
}
