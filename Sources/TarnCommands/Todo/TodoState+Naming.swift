import TarnModel

/// A task, and where it stands.
package struct PlacedTask: Equatable, Sendable {
    package let task: TodoTask
    package let project: TodoProject
    /// In the project's list.
    package let index: Int
}

/// Who is meant by a name: an exact title, a title in other capitals, or a short id. One that fits
/// several is answered with the candidates.
extension TodoState {
    package func project(named name: String) throws(CommandError) -> TodoProject {
        let found = Self.matching(name, projects, title: \.name, key: \.key)
        if found.count == 1 { return found[0] }
        throw Self.miss(
            "project", name,
            candidates: found.map { "\(id(of: $0))  \($0.shownName)" })
    }

    /// The project that is meant where none is named: the only one.
    package func project(named name: String?, for deed: String) throws(CommandError) -> TodoProject
    {
        if let name { return try project(named: name) }
        if projects.count == 1 { return projects[0] }
        if projects.isEmpty {
            throw CommandError(
                .notFound, "there is no project yet; tarn project add NAME makes one")
        }
        throw CommandError(
            .usage, "there are several projects; say which one \(deed) with --project",
            details: projects.map { "\(id(of: $0))  \($0.shownName)" })
    }

    /// - Parameter project: looks only there, by the project's name.
    package func task(
        named name: String, in project: String? = nil
    ) throws(CommandError) -> PlacedTask {
        let projects = if let project { [try self.project(named: project)] } else { self.projects }
        let placed = projects.flatMap { project in
            project.tasks.enumerated().map {
                PlacedTask(task: $0.element, project: project, index: $0.offset)
            }
        }
        let found = Self.matching(name, placed, title: \.task.title, key: \.task.key)
        if found.count == 1 { return found[0] }
        throw Self.miss(
            "task", name,
            candidates: found.map {
                "\(id(of: $0.task))  \($0.task.shownTitle)  (\($0.project.shownName))"
            })
    }

    private static func matching<Thing>(
        _ name: String, _ things: [Thing], title: (Thing) -> String, key: (Thing) -> UUIDValue
    ) -> [Thing] {
        let wanted = Text(name)
        let byID = things.filter { ShortIDs.matches(name, key($0)) }
        var byTitle = things.filter { Text(title($0)) == wanted }
        if byTitle.isEmpty, byID.isEmpty {
            byTitle = things.filter { title($0).lowercased() == name.lowercased() }
        }
        // Who is called like another one's id is not taken for it.
        return byTitle + byID.filter { thing in !byTitle.contains { key($0) == key(thing) } }
    }

    private static func miss(
        _ what: String, _ name: String, candidates: [String]
    ) -> CommandError {
        if candidates.isEmpty {
            return CommandError(.notFound, "there is no \(what) \"\(name)\"")
        }
        return CommandError(
            .notFound, "\"\(name)\" is the name of \(candidates.count) \(what)s; take the id",
            details: candidates)
    }
}
