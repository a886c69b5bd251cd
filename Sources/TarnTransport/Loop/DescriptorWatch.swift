internal import CLinux

/// What may be done with a descriptor now, or what somebody waits to do.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// The other end is gone, or an error waits. It is told without being asked for.
    package static let hungUp = Readiness(rawValue: 4)

    var epollEvents: UInt32 {
        (contains(.readable) ? tarn_epoll_in : 0) | (contains(.writable) ? tarn_epoll_out : 0)
    }

    init(epollEvents: UInt32) {
        var readiness: Readiness = []
        if epollEvents & tarn_epoll_in != 0 { readiness.insert(.readable) }
        if epollEvents & tarn_epoll_out != 0 { readiness.insert(.writable) }
        if epollEvents & (tarn_epoll_err | tarn_epoll_hup) != 0 { readiness.insert(.hungUp) }
        self = readiness
    }
}

/// A loop's attention to one descriptor, until it is cancelled. The descriptor stays the caller's,
/// who cancels before closing it. It belongs to its loop's thread.
package final class DescriptorWatch {
    let descriptor: Int32
    /// Tells this watch from an earlier one of the same number, whose events may still be about.
    let generation: UInt32
    private unowned let loop: EventLoop
    @exclusivity(unchecked) private var ready: ((Readiness) -> Void)?
    @exclusivity(unchecked) private var interest: Readiness

    init(
        _ loop: EventLoop, descriptor: Int32, generation: UInt32, interest: Readiness,
        ready: @escaping (Readiness) -> Void
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.generation = generation
        self.interest = interest
        self.ready = ready
    }

    /// Waits for something else from now on. With no interest only `hungUp` is told.
    package func setInterest(_ interest: Readiness) {
        loop.preconditionOnThread()
        guard interest != self.interest, ready != nil else { return }
        self.interest = interest
        loop.changeInterest(of: self, to: interest)
    }

    package func cancel() {
        loop.preconditionOnThread()
        guard ready != nil else { return }
        ready = nil
        loop.forget(self)
    }

    func tell(_ readiness: Readiness) {
        ready?(readiness)
    }
}
