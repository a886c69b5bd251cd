package import TarnModel

extension MemoryReplicaStore {
    package func subscriptions() throws(StorageError) -> [StoredSubscription] {
        state.subscriptions
    }

    package func addSubscription(
        name: String, query: String, arguments: [Value], depth: Int
    ) throws(StorageError) -> StoredSubscription {
        try check(.write)
        guard !state.subscriptions.contains(where: { Text($0.name) == Text(name) }) else {
            throw .nameIsTaken(name)
        }
        state.lastSubscription += 1
        let subscription = StoredSubscription(
            number: state.lastSubscription, name: name, query: query, arguments: arguments,
            depth: depth, state: .pending)
        state.subscriptions.append(subscription)
        state.members[subscription.number] = [:]
        return subscription
    }

    package func setState(
        _ state: SubscriptionState, of number: Int64
    ) throws(StorageError) {
        try check(.write)
        guard let index = self.state.subscriptions.firstIndex(where: { $0.number == number })
        else { return }
        self.state.subscriptions[index].state = state
    }

    package func removeSubscription(_ number: Int64) throws(StorageError) -> [ObjectID] {
        try check(.write)
        state.subscriptions.removeAll { $0.number == number }
        let members = state.members.removeValue(forKey: number) ?? [:]
        state.loosened.formUnion(members.keys)
        return members.keys.filter { !state.isMember($0) }.sorted()
    }

    package func setMember(
        _ object: ObjectID, isRoot: Bool, of subscription: Int64
    ) throws(StorageError) {
        try check(.write)
        state.members[subscription]?[object] = isRoot
    }

    package func removeMember(
        _ object: ObjectID, of subscription: Int64
    ) throws(StorageError) {
        try check(.write)
        state.members[subscription]?[object] = nil
        state.loosened.insert(object)
    }

    package func isMember(_ object: ObjectID) throws(StorageError) -> Bool {
        state.isMember(object)
    }

    package func members(of subscription: Int64) throws(StorageError) -> [ObjectID] {
        state.members[subscription, default: [:]].keys.sorted()
    }

    package func roots(of subscription: Int64) throws(StorageError) -> [ObjectID] {
        state.members[subscription, default: [:]].filter(\.value).keys.sorted()
    }
}
