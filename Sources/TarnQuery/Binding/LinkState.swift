/// What a link comes to where it is asked. A server has no unresolved ones: a link to what does not
/// exist is null.
package enum LinkState: String, Hashable, Sendable, CaseIterable {
    case null
    /// It leads to an object that is here.
    case present
    /// It leads to an object that exists on the server and is not here.
    case unresolved
}
