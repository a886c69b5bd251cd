import TarnModel
import TarnQuery
import TarnStorage

/// Plants faults, where a test asks for one.
extension World {
    func plant(in machine: SimulatedMachine) throws {
        switch sabotage {
        case nil, .publishesEarly, .reordersMessages: break
        case .changesServerValue: try changeServerValue()
        case .dropsShadow:
            try tamper(machine) { store in
                guard
                    let object = try visible(in: store).first(where: { object in
                        try store.shadow(of: object) != nil
                    })
                else { return }
                try store.setShadow(nil, of: object)
            }
        case .dropsMember:
            try tamper(machine) { store in
                guard let subscription = try store.subscriptions().first,
                    let object = try store.members(of: subscription.number).first
                else { return }
                try store.removeMember(object, of: subscription.number)
            }
        case .losesWrite:
            try tamper(machine) { store in
                var chain = try store.chain()
                guard chain.sequence > chain.acknowledgedSequence else { return }
                try store.removePending(chain.sequence)
                chain.sequence -= 1
                try store.setChain(chain)
            }
        }
    }

    private func changeServerValue() throws {
        for realm in daemon.realms where realm.engine != nil && realm.underWay == nil {
            guard let number = realm.store.schema.number(of: "Item"),
                let object = try realm.store.objects(in: number).first
            else { continue }
            try realm.store.begin()
            try realm.store.apply(
                .set(
                    className: "Item", key: try realm.store.key(of: object), property: "body",
                    value: .string("sabotage"), isDefault: false))
            try realm.store.commit()
        }
    }

    private func visible(in store: MemoryReplicaStore) throws -> [ObjectID] {
        try store.schema.classes.indices.flatMap { try store.objects(in: $0) }.sorted()
    }

    private func tamper(
        _ machine: SimulatedMachine, _ body: (MemoryReplicaStore) throws -> Void
    ) throws {
        let store = MemoryReplicaStore(on: machine.disk)
        try store.begin(.writing(.full))
        try body(store)
        try store.commit()
    }
}
