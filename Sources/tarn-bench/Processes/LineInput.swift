import Glibc
import TarnTransport

/// What a part is told on its standard input, line by line, on its loop; nil is the end.
final class LineInput {
    private var watch: DescriptorWatch?
    private var buffered: [UInt8] = []
    private let take: (String?) -> Void

    init(on loop: EventLoop, _ take: @escaping (String?) -> Void) throws(BenchError) {
        self.take = take
        do throws(TransportError) {
            watch = try loop.watch(STDIN_FILENO, .readable) { [weak self] _ in self?.read() }
        } catch {
            throw BenchError(error.sentence)
        }
    }

    private func read() {
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = piece.withUnsafeMutableBytes {
            Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count)
        }
        guard count > 0 else {
            watch?.cancel()
            return take(nil)
        }
        buffered += piece[..<count]
        while let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: buffered[..<end], as: UTF8.self)
            buffered.removeSubrange(...end)
            take(line)
        }
    }
}
