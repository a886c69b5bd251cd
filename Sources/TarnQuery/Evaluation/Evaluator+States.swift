import TarnModel

/// `@state`: whether links are null, or lead to what is here, or to what is not.
extension Evaluator {
    func holds(
        _ quantifier: Quantifier, _ path: BoundPath, for object: ObjectID,
        _ wanted: Set<LinkState>
    ) throws -> Bool {
        guard path.isMany else {
            let state: LinkState =
                switch try end(of: path, for: object) {
                case .value: .null
                case .object: .present
                case .nowhere: .unresolved
                }
            return wanted.contains(state)
        }
        return switch quantifier {
        case .any: try hasState(path, for: object, among: wanted)
        case .none: try !hasState(path, for: object, among: wanted)
        case .all:
            try !hasState(path, for: object, among: wanted.symmetricDifference(LinkState.allCases))
        }
    }

    private func hasState(
        _ path: BoundPath, for object: ObjectID, among wanted: Set<LinkState>
    ) throws -> Bool {
        try hasHolder(path, for: object) { holder in
            guard let holder else { return wanted.contains(.null) }
            return try !states(at: path, of: holder).isDisjoint(with: wanted)
        }
    }

    /// The states of the links at the end of a path. Here those elements count, too, that lead to
    /// no object.
    private func states(at path: BoundPath, of holder: ObjectID) throws -> Set<LinkState> {
        guard path.leafIsList else {
            return switch try end(at: path, of: holder) {
            case .value: [.null]
            case .object: [.present]
            case .nowhere: [.unresolved]
            }
        }
        let links = try reader.elements(path.leaf.property, of: holder)
        let nullCount = links.count { $0 == .null }
        let presentCount = try reader.targets(path.leaf.property, of: holder).count
        var states: Set<LinkState> = []
        if nullCount > 0 { states.insert(.null) }
        if presentCount > 0 { states.insert(.present) }
        if nullCount + presentCount < links.count { states.insert(.unresolved) }
        return states
    }
}
