/// What a garbage collection did, or would do, with the files of a store.
package struct GarbageReport: Hashable, Sendable, Codable {
    package var isDryRun = false
    package var rows = RowCounts()
    package var artifacts = FileReport()
    package var sources = FileReport()

    package init() {}
}

/// Files of one kind: what went, and what stays for which reason.
package struct FileReport: Hashable, Sendable, Codable {
    /// Why files stay.
    package enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// An export that is not over uses them, or a job makes them.
        case openExport
        /// They are films of completed exports.
        case film
        /// Named drafts or recordings use them.
        case draft
        /// They were used too short a time ago.
        case young
        /// They are looked up just now.
        case inUse
        /// The database does not know them, and they were stored too short a time ago.
        case unknownAndYoung
        /// They cannot be removed.
        case failed
    }

    package var removed = FileCount()
    /// Files that the database does not know, as a killed process leaves them. They are not counted as `removed`.
    package var removedUnknown = FileCount()
    /// Records without files.
    package var removedRecords = 0
    package var kept: [Reason: FileCount] = [:]
    /// Entries of the store that are no stored files. They are never touched.
    package var foreignCount = 0
    /// Why files could not be removed, the first few.
    package var failures: [String] = []

    package init() {}

    package mutating func keep(_ bytes: Int64, _ reason: Reason) {
        kept[reason, default: FileCount()].add(bytes)
    }

    package var keptBytes: Int64 { kept.values.reduce(0) { $0 + $1.byteCount } }

    mutating func note(failure: String) {
        if failures.count < 10 { failures.append(failure) }
    }

    private enum CodingKeys: String, CodingKey { case removed, removedUnknown, removedRecords, kept, foreignCount, failures }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(removed, forKey: .removed)
        try container.encode(removedUnknown, forKey: .removedUnknown)
        try container.encode(removedRecords, forKey: .removedRecords)
        try container.encode(
            Dictionary(uniqueKeysWithValues: kept.map { ($0.key.rawValue, $0.value) }), forKey: .kept)
        try container.encode(foreignCount, forKey: .foreignCount)
        try container.encode(failures, forKey: .failures)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        removed = try container.decode(FileCount.self, forKey: .removed)
        removedUnknown = try container.decode(FileCount.self, forKey: .removedUnknown)
        removedRecords = try container.decode(Int.self, forKey: .removedRecords)
        let named = try container.decode([String: FileCount].self, forKey: .kept)
        kept = Dictionary(uniqueKeysWithValues: named.compactMap { name, count in Reason(rawValue: name).map { ($0, count) } })
        foreignCount = try container.decode(Int.self, forKey: .foreignCount)
        failures = try container.decode([String].self, forKey: .failures)
    }
}

/// A number of files and their bytes.
package struct FileCount: Hashable, Sendable, Codable {
    package var files = 0
    package var byteCount: Int64 = 0

    package init(files: Int = 0, byteCount: Int64 = 0) {
        self.files = files
        self.byteCount = byteCount
    }

    package mutating func add(_ bytes: Int64) {
        files += 1
        byteCount += bytes
    }
}

extension FileNeed {
    var reason: FileReport.Reason {
        switch self {
        case .openExport: .openExport
        case .film: .film
        case .draft: .draft
        }
    }
}
