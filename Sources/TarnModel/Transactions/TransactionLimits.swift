/// What one transaction may hold.
package enum TransactionLimits {
    /// More is an import: many transactions under one verb. A server decides so many in ten or
    /// twenty milliseconds, and as long everybody else may have to wait: less than they notice.
    package static let changesMax = 1_000
    /// More are not read. Between the two a transaction is refused as any other, and does not keep
    /// what follows it from being decided: a program of another age may have written it.
    package static let changesReadMax = 50_000
    /// Bytes of a body: three of the largest values.
    package static let bodyBytesMax = 48 << 20
    /// UTF-8 bytes of one string, or bytes of data, as Realm has it.
    package static let stringBytesMax = 16 << 20
    /// Bytes of a string that is a primary key, or of a set's element or a map's key: they stand in
    /// indices.
    package static let keyBytesMax = 1024
}
