/// Actors and tasks may live on a loop; between them and the loop's callbacks there is no hop.
extension EventLoop: SerialExecutor, TaskExecutor {
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        execute { [self] in
            job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isOnThread
    }

    package func checkIsolated() {
        preconditionOnThread()
    }
}
