/// Classes are numbered in the order in which they came, and so are the properties of a class; both
/// only grow, so within one store a number keeps its meaning. On the wire and in what is queued,
/// names stand instead, or numbers from a dictionary of that connection.
extension Schema {
    package func number(of className: String) -> Int? {
        classes.firstIndex { $0.name == className }
    }

    /// Nil for a number that no class has.
    package func schema(number: Int) -> ClassSchema? {
        classes.indices.contains(number) ? classes[number] : nil
    }
}

extension ClassSchema {
    package func number(of property: String) -> Int? {
        properties.firstIndex { $0.name == property }
    }
}
