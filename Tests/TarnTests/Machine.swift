import Glibc
import Tarn
import TarnStorage
import TarnTransport
import Testing

/// A loop with several drivers on it, each of which stands for a process.
final class Machine {
    let loop: EventLoop
    private(set) var drivers: [SyncDriver] = []
    /// Whoever is not among the living counts as ended.
    private var living: Set<LeaseHolder> = []
    private var isMet: (() throws -> Bool)?
    private var problem: (any Error)?
    private var processCount: Int64 = 0

    init() throws { loop = try EventLoop(name: "machine") }

    /// Starts another "process" on a replica.
    @discardableResult
    func start(
        _ shared: SharedReplica, in profile: Profile
    ) throws -> SyncDriver {
        processCount += 1
        let real = try RunningProcess.current()
        // A number that no process has, so that the kernel has nothing to say of it.
        let holder = LeaseHolder(
            process: 0x7FFF_0000 + processCount, started: 1, boot: real.boot)
        living.insert(holder)
        let driver = try SyncDriver(
            shared, of: try profile.requireAccount(), in: profile, on: loop, holder: holder,
            isAlive: { [unowned self] in
                living.contains($0) || RunningProcess.isRunning($0)
            })
        drivers.append(driver)
        try driver.start { [unowned self] _ in look() }
        return driver
    }

    /// Runs the loop until it holds, or the time is up.
    func reaches(
        within limit: Duration = .seconds(20), _ condition: @escaping () throws -> Bool
    ) throws -> Bool {
        if try condition() { return true }
        isMet = condition
        let timer = loop.schedule(after: limit) { [loop] in loop.stop() }
        loop.runOnCurrentThread()
        timer.cancel()
        isMet = nil
        if let problem { throw problem }
        return try condition()
    }

    /// Ends drivers in good order.
    func stop(_ drivers: [SyncDriver]) throws {
        var remaining = drivers.count
        for driver in drivers {
            driver.stop {
                remaining -= 1
                self.look()
            }
        }
        #expect(try reaches { remaining == 0 })
        self.drivers.removeAll { driver in drivers.contains { $0 === driver } }
    }

    func stop() throws { try stop(drivers) }

    private func look() {
        do {
            if try isMet?() == true { loop.stop() }
        } catch {
            problem = error
            loop.stop()
        }
    }
}
