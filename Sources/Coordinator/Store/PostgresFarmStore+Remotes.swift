import ContentHashing
import ExportPlan
import FarmAPI
import JobQueue
import Postgres
import FoundationEssentials

/// Sources that workers fetch from addresses.
extension PostgresTransaction {
    /// Gives each ticket of a probe whose files have to be fetched what is known of them.
    func withRemotes(_ tickets: [JobTicket]) async throws -> [JobTicket] {
        let wanted = Set(
            tickets.flatMap { ticket in ticket.work.remoteLocations.map { TenantLocation(ticket.tenant, $0) } }
        ).sorted { ($0.tenant, $0.location) < ($1.tenant, $1.location) }
        guard !wanted.isEmpty else { return tickets }
        let results = try await pipeline([
            PostgresStatement(
                "SELECT id, name, source_addresses FROM tenants WHERE id = ANY($1)",
                [.int64Array(Set(wanted.map(\.tenant)).sorted())]),
            PostgresStatement(
                """
                SELECT place, content_hash, byte_count, etag, last_modified
                FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS wanted(tenant, key, place)
                JOIN remote_sources ON tenant_id = tenant AND location_key = key
                """, [.int64Array(wanted.map(\.tenant)), .textArray(wanted.map(\.key))]),
        ])
        var tenants: [Int64: (name: String, addresses: [String]?)] = [:]
        for row in results[0].rows {
            let addresses = try row.get("source_addresses", as: [String].self)
            tenants[try row.get("id")] = (try row.get("name"), Tenant.usesAllAddresses(addresses) ? nil : addresses)
        }
        var known: [Int64: [String: FetchedSource]] = [:]
        for row in results[1].rows {
            let place = wanted[Int(try row.get("place", as: Int64.self)) - 1]
            known[place.tenant, default: [:]][place.location] = FetchedSource(
                contentHash: try row.get("content_hash"), byteCount: try row.get("byte_count"), etag: try row.get("etag"),
                lastModified: try row.get("last_modified"))
        }
        return tickets.map { ticket in
            let locations = ticket.work.remoteLocations
            guard !locations.isEmpty, let tenant = tenants[ticket.tenant] else { return ticket }
            var ticket = ticket
            ticket.remote = RemoteAccess(
                tenant: tenant.name, addresses: tenant.addresses,
                known: (known[ticket.tenant] ?? [:]).filter { locations.contains($0.key) })
            return ticket
        }
    }

    /// Notes the sources that workers have fetched: as assets of their tenants, and how to ask whether they have changed.
    func note(fetched: [(tenant: Int64, sources: [String: FetchedSource])]) async throws {
        var rows: [String: FetchedRow] = [:]
        for (tenant, sources) in fetched {
            for (location, source) in sources {
                let row = FetchedRow(tenant: tenant, location: location, source: source)
                rows["\(tenant) \(row.key)"] = row
            }
        }
        guard !rows.isEmpty else { return }
        let json = try PostgresFarmStore.json(rows.sorted { $0.key < $1.key }.map(\.value))
        _ = try await pipeline([
            PostgresStatement(
                """
                INSERT INTO assets (tenant_id, hash, byte_count, name)
                SELECT DISTINCT ON (tenant, hash) tenant, hash, bytes, name
                FROM json_to_recordset($1::json) AS new(tenant bigint, hash text, bytes bigint, name text)
                ORDER BY tenant, hash
                ON CONFLICT (tenant_id, hash) DO UPDATE SET used_at = now()
                """, [json]),
            PostgresStatement(
                """
                INSERT INTO remote_sources (tenant_id, location_key, content_hash, byte_count, etag, last_modified)
                SELECT tenant, key, hash, bytes, etag, modified
                FROM json_to_recordset($1::json)
                  AS new(tenant bigint, key text, hash text, bytes bigint, etag text, modified text)
                ORDER BY tenant, key
                ON CONFLICT (tenant_id, location_key) DO UPDATE SET content_hash = excluded.content_hash,
                  byte_count = excluded.byte_count, etag = excluded.etag, last_modified = excluded.last_modified,
                  fetched_at = now()
                """, [json]),
        ])
    }
}

/// A location that a tenant's draft names.
private struct TenantLocation: Hashable {
    var tenant: Int64
    var location: String

    init(_ tenant: Int64, _ location: String) {
        self.tenant = tenant
        self.location = location
    }

    /// What the location is found by: an address may be long.
    var key: String { ContentHash.of(location.utf8) }
}

/// A fetched source as the statements that note it read it.
private struct FetchedRow: Encodable {
    var tenant: Int64
    var key: String
    var hash: String
    var bytes: Int64
    var name: String
    var etag: String?
    var modified: String?

    init(tenant: Int64, location: String, source: FetchedSource) {
        self.tenant = tenant
        key = ContentHash.of(location.utf8)
        hash = source.contentHash
        bytes = source.byteCount
        name = RemoteLocation.fileName(of: location)
        etag = source.etag
        modified = source.lastModified
    }
}
