import TarnClient
import TarnModel

/// What users ask for.
extension UserActs {
    struct Question {
        let query: String
        var arguments: [Value] = []
    }

    private static let questions: [Question] = [
        Question(query: "Project"), Question(query: "Item"), Question(query: "Sample"),
        Question(query: "Project WHERE owner == $user SORT(name DESC)"),
        Question(query: "Project WHERE owner != $user"),
        Question(query: "Project WHERE ANY items.isDone == true SORT(name)"),
        Question(query: "Project WHERE items.@count > 2"),
        Question(query: "Project WHERE ANY items.rank > 6 SORT(lead.rank) LIMIT(2)"),
        Question(query: "Project WHERE lead.body BEGINSWITH[c] 'b'"),
        Question(query: "Project WHERE lead == null LIMIT(3)"),
        Question(query: "Project WHERE NONE items.body == ''"),
        Question(query: "Item WHERE isDone == false SORT(rank DESC) LIMIT(3)"),
        Question(query: "Item WHERE rank >= $0", arguments: [.int(5)]),
        Question(query: "Item WHERE rank BETWEEN {$0, 8} LIMIT(4)", arguments: [.int(2)]),
        Question(query: "Item WHERE project.name == 'apple'"),
        Question(query: "Item WHERE project.lead.rank > 3 SORT(project.name, rank)"),
        Question(query: "Item WHERE project == null SORT(body)"),
        Question(query: "Item WHERE project.owner == $user SORT(body) LIMIT(5)"),
        Question(query: "Sample WHERE parent.count > 0"),
        Question(query: "Sample WHERE parent.parent.note == null SORT(count)"),
        Question(query: "Sample WHERE note == null SORT(at DESC) LIMIT(4)"),
        Question(query: "Sample WHERE 'red' IN tags SORT(until)"),
        Question(query: "Sample WHERE ANY items.project.owner == $user"),
        Question(query: "Sample WHERE token != null OR count == 4 SORT(token)"),
        Question(query: "Sample WHERE items.@count == tags.@count"),
        Question(query: "Item WHERE isLate == true SORT(due)"),
        Question(query: "Plan"), Question(query: "Part"), Question(query: "Step"),
        Question(query: "Plan WHERE weight > 0.5 SORT(weight)"),
        Question(query: "Plan WHERE votes >= 2 SORT(votes DESC) LIMIT(3)"),
        Question(query: "Plan WHERE 'red' IN colours"),
        Question(query: "Plan WHERE ANY readers.isDone == true"),
        Question(query: "Plan WHERE head.text == 'apple' SORT(mass) LIMIT(2)"),
        Question(query: "Plan WHERE steps.@count > 1 OR first.title == ''"),
        Question(query: "Part WHERE size > 1 LIMIT(3)"),
        Question(query: "Ghost WHERE x == 1"),
    ]

    func question() -> Question { dice.pick(Self.questions) ?? Question(query: "Item") }
}
