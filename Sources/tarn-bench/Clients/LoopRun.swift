import CLinux
import TarnTransport

/// A loop on this thread that runs phase by phase: between them the thread is free to look at the
/// other processes.
final class LoopRun {
    let loop: EventLoop
    private var problem: String?
    private var isOver = false

    init() throws(BenchError) {
        do throws(TransportError) {
            loop = try EventLoop(name: "bench")
        } catch {
            throw BenchError(error.sentence)
        }
    }

    /// Begins, and returns when `finish` was called.
    func phase(
        _ name: String, atMost limit: Duration = .seconds(60), _ begin: () -> Void
    ) throws(BenchError) {
        isOver = false
        begin()
        if !isOver, problem == nil {
            let timer = loop.schedule(after: limit) { [self] in fail("\(name) took too long") }
            // An earlier phase may have left word to stop.
            while !isOver, problem == nil { loop.runOnCurrentThread() }
            timer.cancel()
        }
        if let problem { throw BenchError("The run failed: \(problem).") }
    }

    /// Lets everybody come to rest.
    func settle() throws(BenchError) {
        try phase("settling") {
            loop.schedule(after: .milliseconds(300)) { [self] in finish() }
        }
    }

    func finish() {
        isOver = true
        loop.stop()
    }

    func fail(_ sentence: String) {
        if problem == nil { problem = sentence }
        loop.stop()
    }

    static func trust(
        _ authority: String, resumes: Bool = false
    ) throws(BenchError) -> TLSClientContext {
        do throws(TransportError) {
            return try TLSClientContext(trust: .authority(authority), resumes: resumes)
        } catch {
            throw BenchError(error.sentence)
        }
    }
}
