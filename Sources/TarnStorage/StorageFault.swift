/// What a store in memory is about to do. Whoever tests or simulates what fails is asked before
/// each, and what he answers is thrown; so is everything that has not been committed then.
package enum StorageCall: Sendable {
    /// To begin a transaction that may write.
    case begin
    /// To change anything in the open transaction.
    case write
    case commit
    case checkpoint
}

package typealias StorageFault = (StorageCall) -> StorageError?
