/// Properties that a query's result depends on: a link to follow from the root, one from there, and
/// so on to what is read at last.
package struct DependencyPath: Hashable, Sendable {
    package let steps: [PropertyStep]
    /// Set where the last property leads to objects of that class, and the result depends on
    /// whether they are there.
    package let endClass: Int?

    /// Each path once, without those that only begin another.
    static func all(of predicate: BoundPredicate, _ sort: [BoundSort]) -> [DependencyPath] {
        var paths: [DependencyPath] = []
        var seen: Set<DependencyPath> = []
        func add(_ path: BoundPath, reachesEnd: Bool) {
            let steps = path.links.map(\.step) + [path.leaf]
            let dependency = DependencyPath(
                steps: steps, endClass: reachesEnd ? path.leafTarget : nil)
            if seen.insert(dependency).inserted { paths.append(dependency) }
        }
        func add(_ operand: BoundOperand, reachesEnd: Bool) {
            switch operand {
            case .path(let path): add(path, reachesEnd: reachesEnd || path.leafIsList)
            case .count(let path): add(path, reachesEnd: true)
            case .constant: break
            }
        }
        func add(_ test: BoundTest) {
            switch test.condition {
            case .leads(to: .null, _): add(test.subject, reachesEnd: false)
            case .leads(to: .key, _), .hasState: add(test.subject, reachesEnd: true)
            case .leads(to: .path(let path), _):
                add(test.subject, reachesEnd: true)
                add(path, reachesEnd: true)
            case .compares(_, let operand, _), .contains(_, let operand, _, _):
                add(test.subject, reachesEnd: false)
                add(operand, reachesEnd: false)
            case .isLike, .isAmong, .isBetween: add(test.subject, reachesEnd: false)
            }
        }
        var open = [predicate]
        while let predicate = open.popLast() {
            switch predicate {
            case .always: break
            case .all(let parts), .any(let parts): open += parts.reversed()
            case .not(let part): open.append(part)
            case .test(let test): add(test)
            }
        }
        for term in sort { add(term.path, reachesEnd: false) }
        return paths
    }

    /// By class: the links from an object of it back to a root, the last link first.
    static func routes(of paths: [DependencyPath]) -> [Int: [[PropertyStep]]] {
        var routes: [Int: Set<[PropertyStep]>] = [:]
        for path in paths {
            var classes = path.steps.dropFirst().map(\.classNumber)
            if let endClass = path.endClass { classes.append(endClass) }
            for (index, classNumber) in classes.enumerated() {
                routes[classNumber, default: []].insert(path.steps[0...index].reversed())
            }
        }
        return routes.mapValues(Array.init)
    }
}
