import Glibc

/// A thread that does one thing.
final class Worker {
    private let thread: pthread_t
    private var isJoined = false

    struct StartFailed: Error {}

    private final class Job {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    init(_ body: @escaping @Sendable () -> Void) throws {
        var thread = pthread_t()
        let job = Unmanaged.passRetained(Job(body))
        let error = pthread_create(
            &thread, nil,
            { job in
                if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body() }
                return nil
            }, job.toOpaque())
        guard error == 0 else {
            job.release()
            throw StartFailed()
        }
        self.thread = thread
    }

    func join() {
        guard !isJoined else { return }
        isJoined = true
        pthread_join(thread, nil)
    }
}
