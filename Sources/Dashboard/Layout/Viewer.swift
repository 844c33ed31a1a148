package import FarmAPI
package import FoundationEssentials

/// The person before the page: what their token allows, and how they like to look at it.
package struct Viewer: Hashable, Sendable {
    /// The colours that were chosen; `auto` is what the browser prefers.
    package enum Theme: String, CaseIterable, Hashable, Sendable { case auto, light, dark }

    package var tenant: Int64
    package var scopes: Set<Scope>
    /// Proves that a form comes from a page of this session.
    package var formKey: String
    /// A text that no other page has: a form of this page that is sent twice is carried out once.
    package var once: String
    package var theme: Theme
    /// Whether only the content is asked for, to bring a page up to date that is open.
    package var wantsContentOnly: Bool
    package var now: Date

    package init(
        tenant: Int64, scopes: Set<Scope>, formKey: String, once: String, theme: Theme = .auto, wantsContentOnly: Bool = false,
        now: Date
    ) {
        self.tenant = tenant
        self.scopes = scopes
        self.formKey = formKey
        self.once = once
        self.theme = theme
        self.wantsContentOnly = wantsContentOnly
        self.now = now
    }

    package var isOperator: Bool { scopes.contains(.admin) }

    /// Whether the viewer may change exports, batches and drafts.
    package var maySubmit: Bool { isOperator || scopes.contains(.submit) }

    /// Whose token it is, in words.
    var name: String {
        isOperator ? "Operator" : "Tenant \(tenant), " + (maySubmit ? "may change exports" : "reads only")
    }
}

extension Viewer {
    /// A form that changes something. It carries the proofs that it is one of this session's pages.
    /// - Parameter confirmation: the browser asks this before the form is sent.
    func form(_ address: Address, class name: String = "inline", confirmation: String? = nil, _ content: HTML) -> HTML {
        """
        <form method="post" action="\(address)" class="\(name)"\(when(confirmation) { " data-confirm=\"\($0)\"" })>\
        <input type="hidden" name="key" value="\(formKey)"><input type="hidden" name="once" value="\(once)">\
        \(content)</form>
        """
    }

    /// A form that is one button.
    /// - Parameters:
    ///   - subject: what a screen reader says after the label, where many buttons have the same.
    ///   - field: a hidden field.
    func button(
        _ label: String, _ address: Address, subject: String? = nil, isDangerous: Bool = false, confirmation: String? = nil,
        field: (name: String, value: String)? = nil
    ) -> HTML {
        let button: HTML = """
            \(when(field) { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })\
            <button type="submit"\(when(isDangerous, " class=\"danger\""))>\(label)\
            \(when(subject) { "<span class=\"hidden-text\"> \($0)</span>" })</button>
            """
        return form(address, confirmation: confirmation, button)
    }
}
