import TarnModel
import TarnStorage

/// To whom a change lost, as far as that is remembered.
extension TransactionJudge {
    func winner(
        of version: Version?, value: Value? = nil
    ) throws(JudgementStop) -> Override.Winner? {
        guard let version else { return nil }
        let author = try stored { () throws(StorageError) in try store.author(of: version) }
        return author.map { Override.Winner(user: $0.user, value: value) }
    }

    /// Who deleted the object that a name meant; nil where another life of the key is there.
    func deleter(of name: ObjectName) throws(JudgementStop) -> Override.Winner? {
        let owner = try find(class: name.className)
        let state = try stored { () throws(StorageError) in
            try store.keyState(of: name.key, in: owner.number)
        }
        guard case .deleted(let version) = state else { return nil }
        return try winner(of: version)
    }

    mutating func override(
        _ name: ObjectName, _ property: String, _ reason: Override.Reason,
        to winner: Override.Winner?
    ) {
        overrides.append(
            Override(
                className: name.className, key: name.key, property: property, reason: reason,
                winner: winner))
    }

    /// The object is gone: a change to it is lost to whoever deleted it.
    mutating func override(
        _ name: ObjectName, _ property: String, _ reason: Override.Reason
    ) throws(JudgementStop) {
        override(name, property, reason, to: try deleter(of: name))
    }
}
