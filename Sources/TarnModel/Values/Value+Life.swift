extension Value {
    /// As a store keeps it: a link leads to whichever object bears the key.
    package var withoutLife: Value {
        if case .link(let link) = self { .link(Link(key: link.key, life: nil)) } else { self }
    }
}
