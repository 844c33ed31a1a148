/// The memory that the bodies of one request take from the memory that all bodies share. `BearerAuthentication` creates
/// it for the tenant, reading a body takes from it before the bytes are kept, and all of it is released when the
/// request has been answered. So a document counts also while it waits to be parsed.
struct BodyMemory: Sendable {
    private let slot: Slots.Slot

    /// - Parameter bytes: the memory of the whole server; one slot is one byte.
    init(_ bytes: Slots, tenant: Int64) throws {
        slot = try bytes.take("\(tenant)", count: 0).get()
    }

    /// Takes memory for `byteCount` more bytes.
    /// - Throws: `RequestFault` `tooManyRequests` when the tenant has reached its limit, `unavailable` when all tenants
    ///   together have.
    func take(_ byteCount: Int) throws {
        do throws(Slots.Refused) {
            try slot.grow(by: byteCount)
        } catch {
            throw error.fault(what: "bytes of request bodies", whose: "a tenant")
        }
    }
}
