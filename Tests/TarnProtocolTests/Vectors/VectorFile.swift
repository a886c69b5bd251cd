import Glibc
import TarnCBOR
import TarnModel

/// One file of `Protocol/vectors`.
struct VectorFile {
    let content: JSON

    init(_ name: String) throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let path = "\(root)/Protocol/vectors/\(name).json"
        guard let file = fopen(path, "r") else { throw JSON.Fault("there is no \(path)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes += buffer[..<count]
        }
        content = try JSON(text: bytes)
    }

    /// What is written in just this way, and read.
    var vectors: [Vector] { get throws { try list("vectors") } }
    /// What is read, though we would write it otherwise.
    var accepted: [Vector] { get throws { try list("accepted") } }
    var refused: [Vector] { get throws { try list("refused") } }

    private func list(_ name: String) throws -> [Vector] {
        try content[name].elements.map(Vector.init)
    }
}

struct Vector {
    let name: String
    let bytes: [UInt8]
    private let content: JSON

    init(_ content: JSON) throws {
        self.content = content
        name = try content["name"].text
        bytes = try content["hex"].bytes
    }

    var meaning: JSON { get throws { try content["meaning"] } }
    /// Why it is refused: a `CBORError.Code` by name.
    var why: String { get throws { try content["why"].text } }
}

/// The name of the reason, as the files write it.
func reason(_ error: FormatError) -> String {
    switch error.fault {
    case .cbor(let error): "\(error.code)"
    case .content: "content"
    }
}
