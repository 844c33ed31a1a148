import ContentHashing
import FarmAPI
import HTTPTypes
import Hummingbird

/// A login to the dashboard: the token itself, in a cookie that scripts cannot read (docs/decisions/0057-dashboard.md).
///
/// No coordinator keeps a session. Every request's token is looked up as those of `/v1` are, so a revoked token ends its
/// sessions at once, and any coordinator serves them.
struct DashboardSession: Sendable {
    let secret: String

    /// What forms of this session carry. Only who knows the token knows it, and nobody learns the token from it.
    var formKey: String { ContentHash.of("spool dashboard form\n\(secret)".utf8) }

    /// - Returns: whether a text is the form key of this session. Their hashes are compared, so that the time which that takes
    ///   says nothing about the key.
    func accepts(formKey given: String?) -> Bool {
        given.map { ContentHash.of($0.utf8) == ContentHash.of(formKey.utf8) } ?? false
    }

    // MARK: The cookie

    /// A browser accepts a name with this prefix only from the host itself, over TLS, and without a domain.
    private static func name(isSecure: Bool) -> String { isSecure ? "__Host-spool-session" : "spool-session" }

    /// The session of a request; nil where it has none.
    init?(of request: Request, isSecure: Bool) {
        guard let secret = request.cookie(DashboardSession.name(isSecure: isSecure)), DashboardSession.isPlain(secret) else {
            return nil
        }
        self.secret = secret
    }

    /// - Returns: nil for a text that no token is.
    init?(secret: String) {
        guard DashboardSession.isPlain(secret) else { return nil }
        self.secret = secret
    }

    /// Whether a text can be a cookie's value as it stands, as all tokens can.
    private static func isPlain(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || "_-.".utf8.contains(byte)
            }
    }

    /// The cookie that begins the session. It ends with the browser.
    func cookie(isSecure: Bool) -> String {
        DashboardSession.cookie(DashboardSession.name(isSecure: isSecure), secret, isSecure: isSecure)
    }

    /// The cookie that ends a session.
    static func noCookie(isSecure: Bool) -> String {
        cookie(name(isSecure: isSecure), "", isSecure: isSecure) + "; Max-Age=0"
    }

    /// The address of a page may be followed from elsewhere (`Lax`); forms of other sites come without the cookie.
    private static func cookie(_ name: String, _ value: String, isSecure: Bool) -> String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}

extension Request {
    /// The value of a cookie; nil where the request has none of that name, or several, of which one may be another site's.
    func cookie(_ name: String) -> String? {
        let values = headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { part -> String? in
            let text = part.drop { $0 == " " }
            guard let mark = text.firstIndex(of: "="), text[..<mark] == name else { return nil }
            return String(text[text.index(after: mark)...])
        }
        return values.count == 1 ? values.first : nil
    }
}
