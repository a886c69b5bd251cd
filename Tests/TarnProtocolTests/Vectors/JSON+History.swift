import TarnModel
import TarnProtocol

/// Questions for histories, and their answers.
extension JSON {
    var historyRequest: HistoryRequest {
        get throws {
            guard let realm = RealmName(try self["realm"].text) else { throw Fault("no realm") }
            return HistoryRequest(
                realm: realm,
                object: try self["object"].orNil {
                    HistorySubject(className: try $0["class"].text, key: try $0["key"].key)
                }, before: try self["before"].historyPlace, limit: try self["limit"].integer())
        }
    }

    var historyPage: HistoryPage {
        get throws {
            HistoryPage(
                entries: try self["entries"].elements.map { try $0.historyEntry },
                next: try self["next"].orNil { try $0.historyPlace },
                floor: Version(try self["floor"].integer()))
        }
    }

    private var historyPlace: HistoryPlace {
        get throws {
            HistoryPlace(
                version: Version(try self["version"].integer()),
                index: try self["index"].integer())
        }
    }

    private var historyEntry: HistoryEntry {
        get throws {
            guard let deed = HistoryDeed(rawValue: try self["deed"].integer()) else {
                throw Fault("no deed")
            }
            var entry = HistoryEntry(
                at: try self["place"].historyPlace, ticks: try self["ticks"].integer(),
                by: try self["transaction"].transactionID, user: try self["user"].text, deed)
            let tells = try self["tells"]
            entry.className = try tells.member("class").map { try $0.text }
            entry.key = try tells.member("key").map { try $0.key }
            entry.property = try tells.member("property").map { try $0.text }
            entry.entry = try tells.member("entry").map { try $0.value }
            entry.value = try tells.member("value").map { try $0.value }
            entry.before = try tells.member("before").map { try $0.value }
            entry.isCut = try tells.member("isCut").map { try $0.flag } ?? false
            entry.sentence = try tells.member("sentence").map { try $0.text }
            return entry
        }
    }
}
