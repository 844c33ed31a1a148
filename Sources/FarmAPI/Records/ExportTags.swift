import FoundationEssentials

/// What clients attach to an export so that they find it again: tags, which are keys with values, and metadata, which
/// are any JSON object. Neither changes the film.
package enum ExportTags {
    /// The number of tags of one export.
    package static let count = 32
    /// Bytes of a tag's key.
    package static let keyBytes = 63
    /// Bytes of a tag's value.
    package static let valueBytes = 255
    /// Bytes of an export's metadata as JSON.
    package static let metadataBytes = 16_384

    /// Checks an export's tags.
    /// - Throws: `RequestFault` `badRequest`.
    package static func check(_ tags: [String: String]) throws {
        guard tags.count <= count else {
            throw RequestFault(.badRequest, "an export has at most \(count) tags, not \(tags.count)")
        }
        for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
            if let complaint = complaint(aboutKey: key) ?? complaint(aboutValue: value, of: key) {
                throw RequestFault(.badRequest, complaint)
            }
        }
    }

    /// What is wrong with a tag's key; nil for an allowed one.
    package static func complaint(aboutKey key: String) -> String? {
        let isPlain = key.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || "._-".utf8.contains(byte)
        }
        guard isPlain, (1...keyBytes).contains(key.utf8.count), key.utf8.first.map({ !"._-".utf8.contains($0) }) == true else {
            return "a tag's key has 1...\(keyBytes) of A-Z, a-z, 0-9, '.', '_' and '-', and begins with a letter or a digit; "
                + "got '\(key.prefix(100))'"
        }
        return nil
    }

    /// What is wrong with a tag's value; nil for an allowed one.
    package static func complaint(aboutValue value: String, of key: String) -> String? {
        guard value.utf8.count <= valueBytes else {
            return "the value of the tag '\(key)' may have \(valueBytes) bytes, not \(value.utf8.count)"
        }
        return value.utf8.contains(0) ? "the value of the tag '\(key)' has a NUL character in it" : nil
    }

    /// Checks an export's metadata.
    /// - Throws: `RequestFault` `badRequest`, or `EncodingError`.
    package static func check(_ metadata: FreeJSON) throws {
        guard case .object = metadata else { throw RequestFault(.badRequest, "metadata must be a JSON object") }
        guard !metadata.hasNUL else { throw RequestFault(.badRequest, "the metadata have a NUL character in them") }
        let size = try FarmJSON.encode(metadata).count
        guard size <= metadataBytes else {
            throw RequestFault(.badRequest, "an export's metadata may have \(metadataBytes) bytes as JSON, not \(size)")
        }
    }
}
