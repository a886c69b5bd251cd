/// What a running session owes the server when its time has come.
extension SyncEngine {
    mutating func answer(_ turn: inout Turn) throws {
        try inSession { session throws in
            turn.send(try session.answerIfDue(at: turn.now.steady))
            guard let due = session.answerDue else { return }
            turn.actions.append(.wake(afterMilliseconds: due - turn.now.steady))
        }
    }

    /// Tells what the server has asked for, or looks at some more of that and asks to be woken.
    mutating func goOnComparing(_ turn: inout Turn) throws {
        try inSession { session throws in
            guard session.isComparing else { return }
            turn.send(try session.goOnComparing())
            if session.isComparing {
                turn.actions.append(.wake(afterMilliseconds: 0))
            } else if let due = session.answerDue {
                turn.actions.append(.wake(afterMilliseconds: max(0, due - turn.now.steady)))
            }
        }
    }
}
