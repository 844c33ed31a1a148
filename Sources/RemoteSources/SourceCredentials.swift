import ExportPlan
import FoundationEssentials
import Glibc

/// The secrets that servers ask for, from a file of the operator. Drafts never contain them: an address whose beginning
/// the file names gets the headers and the query that belong to it, and no other address does.
///
///     [{"name": "press archive", "addresses": "https://media.example.com/press/", "tenants": ["news"],
///       "headers": {"Authorization": "Bearer ..."}, "query": {"token": "..."}}]
package struct SourceCredentials: Sendable {
    /// One entry of the file.
    struct Entry: Sendable, Decodable {
        /// A name for messages.
        var name: String
        /// An `AddressPattern`.
        var addresses: String
        /// The names of the tenants whose drafts get them; nil for all.
        var tenants: [String]?
        var headers: [String: String]?
        var query: [String: String]?

        enum CodingKeys: String, CodingKey, CaseIterable { case name, addresses, tenants, headers, query }
    }

    private var entries: [(pattern: AddressPattern, entry: Entry)] = []

    package init() {}

    /// Why the file cannot be used, as a sentence.
    package struct Fault: Error, Hashable, Sendable {
        package var message: String
    }

    /// - Parameter path: the path of the file.
    /// - Throws: `Fault`.
    package init(file path: String) throws(Fault) {
        var status = stat()
        guard stat(path, &status) == 0, let content = FileManager.default.contents(atPath: path) else {
            throw Fault(message: "the file of credentials '\(path)' cannot be read")
        }
        guard status.st_mode & 0o007 == 0 else {
            throw Fault(message: "the file of credentials '\(path)' can be read by everybody; run chmod 640 '\(path)'")
        }
        let found: [Entry]
        do {
            found = try JSONDecoder().decode([Entry].self, from: content)
        } catch {
            // The decoder's error might repeat a secret.
            throw Fault(
                message: "the file of credentials '\(path)' is not a list of objects with name, addresses, tenants, headers and "
                    + "query (docs/sources.md)")
        }
        for entry in found {
            guard let pattern = AddressPattern(entry.addresses), entry.addresses.lowercased().hasPrefix("http") else {
                throw Fault(message: "the credentials '\(entry.name)' have addresses that are no https:// or http:// pattern")
            }
            let texts = (entry.headers ?? [:]).flatMap { [$0.key, $0.value] }
            guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }) else {
                throw Fault(message: "the credentials '\(entry.name)' have a header with a character that headers cannot have")
            }
            entries.append((pattern, entry))
        }
    }

    /// What a request for an address gets, from the first entry that fits.
    /// - Parameter tenant: the name of the draft's tenant; nil for a local export, which gets those of all tenants.
    func found(
        for location: RemoteLocation, tenant: String?
    ) -> (headers: [(name: String, value: String)], query: [(name: String, value: String)]) {
        let fitting = entries.first { pattern, entry in
            pattern.matches(location) && (tenant == nil || entry.tenants?.contains { $0 == tenant } ?? true)
        }
        guard let entry = fitting?.entry else { return ([], []) }
        func sorted(_ values: [String: String]?) -> [(name: String, value: String)] {
            (values ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
        return (sorted(entry.headers), sorted(entry.query))
    }
}
