internal import CLinux
internal import Glibc

/// What the kernel said, in words.
enum SystemError {
    /// From `errno`, which the next call may change.
    static func last(
        _ sentence: String, code: TransportError.Code = .systemFailure
    ) -> TransportError {
        numbered(errno, sentence, code: code)
    }

    static func numbered(
        _ number: Int32, _ sentence: String, code: TransportError.Code = .systemFailure
    ) -> TransportError {
        TransportError(code, "\(sentence): \(text(number)).")
    }

    static func text(_ number: Int32) -> String {
        var text = [CChar](repeating: 0, count: 128)
        tarn_error_text(number, &text, text.count)
        let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return bytes.isEmpty ? "error \(number)" : String(decoding: bytes, as: UTF8.self)
    }
}
