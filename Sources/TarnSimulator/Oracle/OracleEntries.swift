import TarnModel
import TarnStorage

/// A set or map with all that was ever said of its entries.
final class OracleEntries {
    /// Of one entry: what is under it, or that it was taken out.
    private struct Saying {
        let entry: Value
        let value: Value?
        /// What the entry or its value leads to.
        let target: OracleLife?
        let stamp: Stamp
        let order: Int

        /// Nil where nothing is there, be it that what was there has died.
        var stands: Value? { target?.isOver == true ? nil : value }
    }

    /// An entry that is a link is one to that life of the key.
    private struct Name: Hashable {
        let entry: Value
        let life: ObjectIdentifier?
    }

    private var sayings: [Name: [Saying]] = [:]

    /// What became of something said.
    enum Outcome {
        case stands(insteadOf: OracleLife?)
        case lost
        /// It says what is so anyway, or takes out what was never there.
        case nothingNew
    }

    /// - Parameters:
    ///   - value: nil takes the entry out.
    ///   - isInEntry: whether it is the entry, not the value, that leads to the target.
    func say(
        _ value: Value?, under entry: Value, to target: OracleLife?, isInEntry: Bool,
        _ stamp: Stamp, _ order: Int
    ) -> Outcome {
        let name = Name(
            entry: entry.withoutLife,
            life: isInEntry ? target.map { ObjectIdentifier($0) } : nil)
        let present = standing(name)
        if value == nil, present == nil { return .nothingNew }
        let saying = Saying(
            entry: entry.withoutLife, value: value?.withoutLife, target: target, stamp: stamp,
            order: order)
        if let present, present.stamp > stamp {
            return present.stands == saying.stands ? .nothingNew : .lost
        }
        sayings[name, default: []].append(saying)
        return .stands(insteadOf: present?.stands == nil ? nil : present?.target)
    }

    private func standing(_ name: Name) -> Saying? {
        sayings[name]?.max { ($0.stamp, $0.order) < ($1.stamp, $1.order) }
    }

    private var there: [Saying] {
        sayings.keys.compactMap(standing).filter { $0.stands != nil }
    }

    var targets: [OracleLife] { there.compactMap(\.target) }

    var picture: [Entry] {
        there.compactMap { saying in
            saying.stands.map { Entry(entry: saying.entry, value: $0) }
        }
        .sorted { $0.entry < $1.entry }
    }
}
