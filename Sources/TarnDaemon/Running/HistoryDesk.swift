import TarnModel
import TarnProtocol
import TarnSQLite
import TarnServer
import TarnStorage
import TarnTransport

/// A thread that answers questions for histories from the commit log, a slice of each in turn: no
/// realm waits for it, and a long question for no short one.
///
/// The log's connection, which only reads, is touched on its loop alone. That is why it is Sendable
/// without the compiler's proof.
final class HistoryDesk: @unchecked Sendable {
    typealias Answer = Result<HistoryPage, ProtocolError>

    private let loop: EventLoop
    private let log: SQLiteCommitLog

    init(on loop: EventLoop, log: SQLiteCommitLog) {
        self.loop = loop
        self.log = log
    }

    /// Answers on the desk's thread.
    func ask(
        _ request: HistoryRequest, of realm: RealmID,
        then tell: @escaping @Sendable (Answer) -> Void
    ) {
        loop.execute { [self] in
            do throws(StorageError) {
                goOn(HistorySearch(request, in: try log.extent(of: realm)), realm, tell)
            } catch {
                tell(.failure(Self.fault))
            }
        }
    }

    func close() { loop.execute { [self] in log.close() } }

    private func goOn(
        _ search: HistorySearch, _ realm: RealmID, _ tell: @escaping @Sendable (Answer) -> Void
    ) {
        guard let slice = search.next else { return tell(.success(search.page)) }
        var search = search
        do throws(StorageError) {
            search.take(
                try log.records(of: realm, after: slice.after, limit: slice.limit))
        } catch {
            return tell(.failure(Self.fault))
        }
        loop.execute { [self, search] in goOn(search, realm, tell) }
    }

    private static let fault = ProtocolError(
        .storageFailed, "The server cannot read its history just now.")
}
