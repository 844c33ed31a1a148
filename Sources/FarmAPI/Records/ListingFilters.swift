package import FoundationEssentials

/// The order in which exports are listed.
package enum ExportOrder: String, CaseIterable, Hashable, Sendable, Codable {
    case newest, oldest
    /// By falling priority, and then in order of acceptance.
    case priority
}

/// Which exports to list, the newest first unless another order is asked for; nil means any.
package struct ExportFilter: Hashable, Sendable {
    package var tenant: Int64?
    package var state: ExportState?
    /// Only exports that have all of these tags.
    package var tags: [String: String] = [:]
    /// Only exports whose metadata contain this object (`FreeJSON.contains`).
    package var metadata: FreeJSON?
    /// Only exports of this batch.
    package var batch: BatchID?
    /// Only exports with this text in their labels, in upper or lower case. All exports are read for it.
    package var label: String?
    package var order = ExportOrder.newest
    /// Only exports that come behind the one with this number in the order.
    package var before: Int64?
    /// The priority of that export, for the order by priority.
    package var priorityBefore: Int?
    /// At most so many exports are listed.
    package var limit: Int

    package init(
        tenant: Int64? = nil, state: ExportState? = nil, tags: [String: String] = [:], metadata: FreeJSON? = nil,
        batch: BatchID? = nil, before: Int64? = nil, limit: Int = 100
    ) {
        self.tenant = tenant
        self.state = state
        self.tags = tags
        self.metadata = metadata
        self.batch = batch
        self.before = before
        self.limit = limit
    }
}

/// A place in a listing that has the newest first, and what is equally old by its id.
package struct ListingPlace: Hashable, Sendable {
    /// Microseconds since 1970, which is what a store keeps of a time.
    package var microseconds: Int64
    package var id: String

    package init(microseconds: Int64, id: String) {
        self.microseconds = microseconds
        self.id = id
    }

    package init(createdAt: Date, id: String) {
        // A date in the year 287396 would not fit.
        let microseconds = (createdAt.timeIntervalSince1970 * 1e6).rounded()
        self.init(microseconds: Int64(max(-9e18, min(9e18, microseconds))), id: id)
    }

    package var createdAt: Date { Date(timeIntervalSince1970: Double(microseconds) / 1e6) }

    /// Whether another place comes behind this one.
    package func isBefore(_ other: ListingPlace) -> Bool {
        (other.microseconds, id) < (microseconds, other.id)
    }
}
