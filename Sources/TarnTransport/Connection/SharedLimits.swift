/// One copy of the limits for all connections of a listener or a connector.
final class SharedLimits: Sendable {
    let values: TransportLimits

    init(_ values: TransportLimits) { self.values = values }
}

extension SecureConnection {
    var limits: TransportLimits { shared.values }
}
