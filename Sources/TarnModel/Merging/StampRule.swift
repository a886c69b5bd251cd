/// How the server fixes a transaction's stamp, once, when it first receives it. The law: stamps are
/// never in the server's future, never fall within one replica, and are above all that the author
/// had seen; so a clock that is ahead wins for no longer than it takes to be seen, and a clock that
/// is behind loses to nothing that its owner had in sight.
package enum StampRule {
    /// - Parameters:
    ///   - clock: the author's clock at writing, in ticks.
    ///   - offset: milliseconds that the author's clock is behind the server's, as measured when
    ///     the session began.
    ///   - now: the server's clock, in ticks.
    ///   - previous: the ticks of that replica's transaction before this one.
    ///   - visible: the highest ticks of all that was committed up to the base.
    package static func fixedTicks(
        clock: UInt64, offset: Int64, now: UInt64, previous: UInt64, visible: UInt64
    ) -> UInt64 {
        let corrected = Int64(clamping: clock >> 16).addingReportingOverflow(offset)
        let milliseconds =
            corrected.overflow ? (offset < 0 ? 0 : Int64.max) : corrected.partialValue
        let claimed = Stamp.ticks(milliseconds: milliseconds) | clock & 0xFFFF
        let floor = max(previous, visible)
        return max(min(claimed, now), floor == .max ? floor : floor + 1)
    }
}
