import CSQLite
import TarnModel
import TarnQuery

/// What SQL queries need beside SQLite's own functions, which stop at a NUL and know the case of
/// ASCII letters only. They call what the evaluator in memory calls.
///
///     tarn_fold(text)              NULL for NULL
///     tarn_begins(text, part)      these are 0 where one side is NULL
///     tarn_ends(text, part)
///     tarn_contains(text, part)
///     tarn_like(text, pattern)
package enum QueryFunctions {
    static let fold = "tarn_fold"
    static let like = "tarn_like"

    static func name(of textOperator: TextOperator) -> String {
        switch textOperator {
        case .beginsWith: "tarn_begins"
        case .endsWith: "tarn_ends"
        case .contains: "tarn_contains"
        }
    }

    /// Makes them known to a connection, once, before the first query; answers SQLite's result.
    package static func register(on connection: OpaquePointer) -> Int32 {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        func add(
            _ name: String, _ argumentCount: Int32,
            _ function:
                @convention(c) (
                    OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
                ) -> Void
        ) -> Int32 {
            sqlite3_create_function_v2(
                connection, name, argumentCount, flags, nil, function, nil, nil, nil)
        }
        let results = [
            add(fold, 1) { context, _, arguments in QueryFunctions.fold(context, arguments) },
            add(name(of: .beginsWith), 2) { context, _, arguments in
                QueryFunctions.answer(context, arguments) {
                    TextOperator.beginsWith.holds(text: $0, part: $1)
                }
            },
            add(name(of: .endsWith), 2) { context, _, arguments in
                QueryFunctions.answer(context, arguments) {
                    TextOperator.endsWith.holds(text: $0, part: $1)
                }
            },
            add(name(of: .contains), 2) { context, _, arguments in
                QueryFunctions.answer(context, arguments) {
                    TextOperator.contains.holds(text: $0, part: $1)
                }
            },
            add(like, 2) { context, _, arguments in
                QueryFunctions.answer(context, arguments) { LikePattern.matches($0, $1) }
            },
        ]
        return results.first { $0 != SQLITE_OK } ?? SQLITE_OK
    }

    private static func answer(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ holds: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        guard let left = bytes(arguments?[0]), let right = bytes(arguments?[1]) else {
            sqlite3_result_int(context, 0)
            return
        }
        sqlite3_result_int(context, holds(left, right) ? 1 : 0)
    }

    private static func fold(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        let argument = arguments?[0]
        guard let bytes = bytes(argument) else {
            sqlite3_result_null(context)
            return
        }
        if !Text.mayFold(bytes) {
            sqlite3_result_value(context, argument)
            return
        }
        var folded = Text(String(decoding: bytes, as: UTF8.self)).folded.string
        folded.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                tarn_result_text(context, $0.baseAddress, UInt64($0.count))
            }
        }
    }

    /// The UTF-8 of a text, which SQLite keeps for the length of the call; nil for anything else.
    private static func bytes(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
        // The pointer first: asking for it may change the length.
        guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value)
        else { return nil }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }
}
