package import FarmAPI
import FoundationEssentials

/// Tenants and their tokens, in memory.
extension MemoryFarmStore: TenantStore {
    package func createTenant(_ name: String, weight: Int, priorityCap: Int) throws -> Tenant {
        if let fault = TextCheck.tagFault(name, "tenant") { throw FarmError(.invalid, fault) }
        try check(weight: weight, priorityCap: priorityCap)
        guard !tenantRows.contains(where: { $0.name == name }) else {
            throw FarmError(.conflict, "there is a tenant '\(name)' already")
        }
        let tenant = Tenant(
            id: Int64(tenantRows.count + 1), name: name, weight: weight, priorityCap: priorityCap, createdAt: clock())
        tenantRows.append(tenant)
        return tenant
    }

    /// Nobody is notified.
    package func changeTenant(_ name: String, _ change: TenantChange) throws -> Tenant {
        guard let place = tenantRows.firstIndex(where: { $0.name == name }) else {
            throw FarmError(.notFound, "there is no tenant '\(name)'")
        }
        let former = tenantRows[place]
        var tenant = former
        tenant.weight = change.weight ?? former.weight
        tenant.priorityCap = change.priorityCap ?? former.priorityCap
        tenant.sourceAddresses = change.sourceAddresses ?? former.sourceAddresses
        if let limit = change.maxOpenExports { tenant.maxOpenExports = limit == 0 ? nil : limit }
        if let limit = change.maxOpenJobs { tenant.maxOpenJobs = limit == 0 ? nil : limit }
        if let limit = change.maxAssetBytes { tenant.maxAssetBytes = limit == 0 ? nil : limit }
        try check(weight: tenant.weight, priorityCap: tenant.priorityCap)
        tenantRows[place] = tenant
        for index in exportRows.indices {
            let export = exportRows[index].export
            guard export.tenant == tenant.id, PriorityCap.openStates.contains(export.state),
                export.priority > tenant.priorityCap, export.priority <= former.priorityCap
            else { continue }
            exportRows[index].export.priority = tenant.priorityCap
        }
        return tenant
    }

    private func check(weight: Int, priorityCap: Int) throws {
        guard (1...1000).contains(weight) else {
            throw FarmError(.invalid, "a tenant's weight is from 1 to 1000, not \(weight)")
        }
        guard (-100...100).contains(priorityCap) else {
            throw FarmError(.invalid, "a tenant's cap is from -100 to 100, not \(priorityCap)")
        }
    }

    package func tenants() -> [Tenant] { tenantRows }

    package func createToken(
        _ name: String, tenant: String, scopes: [Scope], hash: String, lifetime: Int?
    ) throws -> Token {
        guard let owner = tenantRows.first(where: { $0.name == tenant }) else {
            throw FarmError(.notFound, "there is no tenant '\(tenant)'")
        }
        guard TextCheck.isHash(hash), !scopes.isEmpty else {
            throw FarmError(.invalid, "a token has at least one scope, and is kept as the 64 hexadecimal digits of its sha256")
        }
        guard !tokenRows.contains(where: { $0.hash == hash }) else {
            throw FarmError(.conflict, "this token exists already")
        }
        let now = clock()
        let token = Token(
            id: Int64(tokenRows.count + 1), tenant: tenant, name: name, scopes: scopes, createdAt: now, revokedAt: nil,
            expiresAt: lifetime.map { now + Double($0) })
        tokenRows.append(TokenRow(token: token, tenant: owner.id, hash: hash))
        return token
    }

    package func rotateToken(_ id: Int64, hash: String, grace: Int) throws -> Token {
        guard let place = tokenRows.firstIndex(where: { $0.token.id == id }) else { throw FarmError.noToken(id) }
        let (old, now) = (tokenRows[place].token, clock())
        guard old.isValid(at: now) else { throw FarmError.notValid(id) }
        let lifetime = old.expiresAt.map { Int($0.timeIntervalSince(old.createdAt).rounded()) }
        let token = try createToken(old.name, tenant: old.tenant, scopes: old.scopes, hash: hash, lifetime: lifetime)
        tokenRows[place].token.expiresAt = min(old.expiresAt ?? .distantFuture, now + Double(grace))
        return token
    }

    package func tokens() -> [Token] { tokenRows.map(\.token) }

    /// A token that is revoked again keeps the time of the first revocation.
    package func revokeToken(_ id: Int64) -> Bool {
        guard let place = tokenRows.firstIndex(where: { $0.token.id == id }) else { return false }
        if tokenRows[place].token.revokedAt == nil { tokenRows[place].token.revokedAt = clock() }
        return true
    }

    package func principal(tokenHash: String) -> Principal? {
        let now = clock()
        guard let place = tokenRows.firstIndex(where: { $0.hash == tokenHash && $0.token.isValid(at: now) }) else { return nil }
        let row = tokenRows[place]
        if row.token.lastUsedAt.map({ now.timeIntervalSince($0) > 60 }) ?? true { tokenRows[place].token.lastUsedAt = now }
        return Principal(token: row.token.id, tenant: row.tenant, scopes: Set(row.token.scopes))
    }
}
