/// The number that begins each change in a transaction's body.
enum ChangeKind: UInt64 {
    case addClass = 1
    case create = 2
    case set = 3
    case delete = 4
    case insert = 5
    case move = 6
    case remove = 7
    case increment = 8
    case setEntry = 9
    case removeEntry = 10
    case deleteOwned = 11
}
