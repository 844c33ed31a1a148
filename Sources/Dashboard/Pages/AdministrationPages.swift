package import FarmAPI
import Vocabulary
import FoundationEssentials

/// The tenants: their shares, caps and quotas. Only operators see it.
package struct TenantsPage: DashboardPage {
    let viewer: Viewer
    let tenants: [Tenant]
    let cursor: String?
    let next: String?
    let notice: Notice?

    package init(viewer: Viewer, tenants: [Tenant], cursor: String?, next: String?, notice: Notice? = nil) {
        self.viewer = viewer
        self.tenants = tenants
        self.cursor = cursor
        self.next = next
        self.notice = notice
    }

    package var title: String { "Tenants" }
    package var section: Section? { .tenants }

    package var content: HTML {
        let rows = tenants.map { tenant -> HTML in
            """
            <tr><td>\(tenant.name)</td><td class="number">\(tenant.id)</td><td class="number">\(tenant.weight)</td>\
            <td class="number">\(tenant.priorityCap)</td><td class="number">\(limit(tenant.maxOpenExports))</td>\
            <td class="number">\(limit(tenant.maxOpenJobs))</td>\
            <td class="number">\(tenant.maxAssetBytes.map(Phrase.bytes) ?? "no limit")</td>\
            <td class="wide">\(Tenant.usesAllAddresses(tenant.sourceAddresses) ? "all" : tenant.sourceAddresses.joined(separator: ", "))</td>\
            <td>\(change(tenant))</td></tr>

            """
        }
        let columns = [
            "Name", "#Number", "#Share", "#Highest priority", "#Open exports", "#Open jobs", "#Assets", "Addresses of sources",
            "Change",
        ]
        return """
            \(heading("Tenants"))
            \(when(notice) { $0.html })
            \(table("Tenants", id: "tenants", columns, rows, empty: "There is no tenant."))
            \(pager(first: cursor == nil ? nil : .tenants, next: next.map { Address("ui", "tenants", query: [("cursor", $0)]) }))
            <section aria-labelledby="new-title"><h2 id="new-title">New tenant</h2>
            \(viewer.form(.tenants, class: "fields", creation))</section>
            """
    }

    private func limit(_ number: Int?) -> String { number.map { Phrase.count($0) } ?? "no limit" }

    private var creation: HTML {
        """
        <div class="field"><label for="name">Name</label>\
        <input type="text" id="name" name="name" required pattern="[a-z0-9][a-z0-9-]{0,62}" maxlength="63" autocapitalize="none"></div>
        <div class="field"><label for="weight">Share</label>\
        <input type="number" id="weight" name="weight" min="1" max="1000" value="1" required></div>
        <div class="field"><label for="cap">Highest priority</label>\
        <input type="number" id="cap" name="priorityCap" min="-100" max="100" value="\(Tenant.defaultPriorityCap)" required></div>
        <div class="field buttons"><button type="submit" class="primary">Create</button></div>
        """
    }

    private func change(_ tenant: Tenant) -> HTML {
        func field(_ name: String, _ label: String, _ value: Int64, _ range: ClosedRange<Int64>) -> HTML {
            let id = "\(name)-\(tenant.id)"
            return """
                <div class="field"><label for="\(id)">\(label)</label>\
                <input type="number" id="\(id)" name="\(name)" min="\(range.lowerBound)" max="\(range.upperBound)" value="\(value)" required></div>
                """
        }
        return """
            <details><summary>Change<span class="hidden-text"> \(tenant.name)</span></summary>\
            \(viewer.form(
                Address("ui", "tenants", tenant.name), class: "fields",
                """
                \(field("weight", "Share", Int64(tenant.weight), 1...1000))\
                \(field("priorityCap", "Highest priority", Int64(tenant.priorityCap), -100...100))\
                \(field("maxOpenExports", "Open exports, 0 for no limit", Int64(tenant.maxOpenExports ?? 0), 0...1_000_000_000))\
                \(field("maxOpenJobs", "Open jobs, 0 for no limit", Int64(tenant.maxOpenJobs ?? 0), 0...1_000_000_000))\
                \(field("maxAssetBytes", "Bytes of assets, 0 for no limit", tenant.maxAssetBytes ?? 0, 0...1_000_000_000_000_000))\
                <div class="field buttons"><button type="submit" class="primary">Save</button></div>
                """))</details>
            """
    }
}

/// The tokens of all tenants, without their secrets. Only operators see it.
package struct TokensPage: DashboardPage {
    let viewer: Viewer
    let tokens: [Token]
    let tenants: [String]
    /// The number of the token that the viewer has logged in with.
    let own: Int64
    let cursor: String?
    let next: String?
    let notice: Notice?
    /// A token that was just made: only this page has its secret.
    let issued: IssuedToken?

    package init(
        viewer: Viewer, tokens: [Token], tenants: [String], own: Int64, cursor: String?, next: String?, notice: Notice? = nil,
        issued: IssuedToken? = nil
    ) {
        self.viewer = viewer
        self.tokens = tokens
        self.tenants = tenants
        self.own = own
        self.cursor = cursor
        self.next = next
        self.notice = notice
        self.issued = issued
    }

    package var title: String { "Tokens" }
    package var section: Section? { .tokens }

    package var content: HTML {
        let columns = ["Name", "#Number", "Tenant", "Scopes", "State", "Last used", "Created", "Actions"]
        return """
            \(heading("Tokens"))
            \(when(notice) { $0.html })
            \(when(issued) { secret($0) })
            \(table("Tokens", id: "tokens", columns, tokens.map(row), empty: "There is no token."))
            \(pager(first: cursor == nil ? nil : .tokens, next: next.map { Address("ui", "tokens", query: [("cursor", $0)]) }))
            <section aria-labelledby="new-title"><h2 id="new-title">New token</h2>
            \(viewer.form(.tokens, class: "fields", creation))</section>
            """
    }

    private func secret(_ issued: IssuedToken) -> HTML {
        """
        <section class="notice" role="status" aria-labelledby="secret-title"><h2 id="secret-title">The secret of token \(issued.token.id)</h2>
        <p><code class="secret" id="secret">\(issued.secret)</code></p>
        <p>Only this page shows it. The farm keeps its hash.</p></section>

        """
    }

    private func row(_ token: Token) -> HTML {
        let isValid = token.isValid(at: viewer.now)
        return """
            <tr><td>\(token.name)\(when(token.id == own, " <span class=\"muted\">yours</span>"))</td><td class="number">\(token.id)</td>\
            <td>\(token.tenant)</td><td>\(token.scopes.map(\.rawValue).sorted().joined(separator: ", "))</td>\
            <td class="nowrap">\(state(token))</td><td class="nowrap">\(when(token.lastUsedAt) { ago($0, at: viewer.now) }.orDash)</td>\
            <td class="nowrap">\(ago(token.createdAt, at: viewer.now))</td><td class="nowrap">\(when(isValid, actions(token)))</td></tr>

            """
    }

    private func state(_ token: Token) -> HTML {
        if token.revokedAt != nil { return "<span class=\"muted\">revoked</span>" }
        guard let end = token.expiresAt else { return "valid" }
        return end > viewer.now ? "valid, ends \(ago(end, at: viewer.now))" : "<span class=\"muted\">expired</span>"
    }

    private func actions(_ token: Token) -> HTML {
        let (id, subject) = ("\(token.id)", "token \(token.id), \(token.name)")
        let warning = token.id == own ? "Revoke the token that you have logged in with?" : "Revoke \(subject)? It ends at once."
        return """
            \(viewer.button("Replace", Address("ui", "tokens", id, "rotate"), subject: subject, confirmation: "Make a new token in the place of \(subject)? The old one stays valid for a day."))\
            \(viewer.button("Revoke", Address("ui", "tokens", id, "revoke"), subject: subject, isDangerous: true, confirmation: warning))
            """
    }

    private var creation: HTML {
        """
        <div class="field"><label for="tenant">Tenant</label><input type="text" id="tenant" name="tenant" list="tenant-names" required \
        maxlength="63" autocapitalize="none"><datalist id="tenant-names">\(tenants.map { "<option value=\"\($0)\"></option>" as HTML })</datalist></div>
        <div class="field grow"><label for="name">What it is for</label>\
        <input type="text" id="name" name="name" required maxlength="255"></div>
        <fieldset class="field"><legend>Scopes</legend>\(Scope.allCases.map(scope))</fieldset>
        <div class="field"><label for="days">Valid for days, empty for ever</label>\
        <input type="number" id="days" name="days" min="1" max="3650"></div>
        <div class="field buttons"><button type="submit" class="primary">Create</button></div>
        """
    }

    private func scope(_ scope: Scope) -> HTML {
        """
        <label class="together"><input type="checkbox" name="scope" value="\(scope.rawValue)"\
        \(when(scope == .read, " checked"))> \(scope.rawValue)</label>
        """
    }
}
