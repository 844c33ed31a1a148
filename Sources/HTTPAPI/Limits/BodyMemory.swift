/// What the bodies of one request take of the memory that all bodies share. `BearerAuthentication` opens it for the tenant, reading
/// a body takes from it before the bytes are kept, and everything goes back when the request has been answered: a document
/// holds its memory also while it waits to be read.
struct BodyMemory: Sendable {
    private let slot: Slots.Slot

    /// - Parameter bytes: the places of the whole server, a byte each.
    init(_ bytes: Slots, tenant: Int64) throws {
        slot = try bytes.take("\(tenant)", count: 0).get()
    }

    /// Takes memory for so many bytes more.
    /// - Throws: `RequestFault` `tooManyRequests` where the tenant has too many, `unavailable` where all together have.
    func take(_ byteCount: Int) throws {
        do throws(Slots.Refused) {
            try slot.grow(by: byteCount)
        } catch {
            throw error.fault(what: "bytes of request bodies", whose: "a tenant")
        }
    }
}
