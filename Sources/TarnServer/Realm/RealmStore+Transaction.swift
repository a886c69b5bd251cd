import TarnStorage

extension RealmStore {
    /// Runs within one storage transaction, and takes back everything where the body throws.
    func inTransaction<Answer>(
        _ body: () throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        try begin()
        do throws(StorageError) {
            let answer = try body()
            try commit()
            return answer
        } catch {
            rollback()
            throw error
        }
    }
}
