/// The page that asks for a token.
package struct LoginPage: DashboardPage {
    /// Where the way leads afterwards.
    let destination: Address
    /// Why the last try was refused; nil before the first.
    let refusal: String?

    package init(destination: Address = .overview, refusal: String? = nil) {
        self.destination = destination
        self.refusal = refusal
    }

    package var title: String { "Log in" }
    package var section: Section? { nil }

    package var content: HTML {
        """
        <div class="login">
        <p class="brand">\(Layout.mark)Spool</p>
        <h1>Log in</h1>
        \(when(refusal) { "<p class=\"fault\" role=\"alert\" id=\"refusal\">\($0)</p>" })
        <form method="post" action="\(Address.login)">
        <input type="hidden" name="to" value="\(destination.text)">
        <label for="token">API token</label>
        <input type="password" id="token" name="token" required autocomplete="current-password" autocapitalize="none"
        spellcheck="false"\(when(refusal != nil, " aria-invalid=\"true\" aria-describedby=\"refusal\"")) autofocus>
        <button type="submit" class="primary">Log in</button>
        </form>
        <p class="muted">The token needs the scope <code>read</code> to look, and <code>submit</code> to change exports.
        An operator makes one with <code>spool token create</code>.</p>
        </div>
        """
    }
}

/// A page in the place of one that cannot be shown.
package struct FaultPage: DashboardPage {
    let status: Int
    let message: String
    /// Where the way leads back to.
    let back: Address

    package init(status: Int, message: String, back: Address = .overview) {
        self.status = status
        self.message = message
        self.back = back
    }

    package var title: String {
        switch status {
        case 401: "Logged out"
        case 403: "Not allowed"
        case 404: "Not found"
        case 409: "Not possible now"
        case 429: "Too many requests"
        case 503: "Not available now"
        case 500...: "A fault of the farm"
        default: "Not possible"
        }
    }
    package var section: Section? { nil }

    package var content: HTML {
        """
        \(heading(title))
        <p class="fault" role="alert">\(sentence)</p>
        <p><a href="\(back)">Go back</a></p>
        """
    }

    /// Messages of the API begin with a small letter and have no full stop.
    private var sentence: String {
        message.prefix(1).uppercased() + message.dropFirst() + (message.hasSuffix(".") ? "" : ".")
    }
}
