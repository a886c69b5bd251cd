/// What kind of item comes next (RFC 8949, section 3.1).
package enum CBORType: Sendable, Equatable {
    case unsigned, negative, bytes, text, array, map, tag, boolean, null, float, other
}
