import FarmAPI
import HTTPTypes
import TestServer
import Testing
import FoundationEssentials

/// A browser that has logged in to the dashboard: it keeps the cookie, says where its requests come from, and sends forms
/// with the keys of the page.
struct DashboardBrowser {
    let farm: Farm
    private(set) var cookie: String?

    static let page: HTTPFields = [.accept: "text/html,application/xhtml+xml", .fetchSite: "same-origin"]

    init(_ farm: Farm) { self.farm = farm }

    /// Logs in with one of the farm's tokens, or with a secret.
    init(_ farm: Farm, as token: String) async throws {
        self.farm = farm
        let answer = try await logIn(farm.tokens[token] ?? token)
        try #require(answer.status == .seeOther, "\(answer.text)")
        let field = try #require(answer.headers[.setCookie])
        cookie = field.split(separator: ";").first.map(String.init)
    }

    func logIn(_ secret: String, _ more: [String: String] = [:], headers: HTTPFields = page) async throws -> Answer {
        try await send(.post, "/ui/login", form: more.merging(["token": secret]) { first, _ in first }, headers: headers)
    }

    func get(_ path: String, headers: HTTPFields = page) async throws -> Answer {
        try await send(.get, path, form: nil, headers: headers)
    }

    /// Sends a form of the page at another address, with its keys.
    func post(
        _ path: String, _ fields: [String: String] = [:], on page: String = "/ui/workers", headers: HTTPFields = page
    ) async throws -> Answer {
        let markup = try await get(page).text
        let keys = ["key", "once"].map { ($0, DashboardBrowser.value(of: $0, in: markup)) }
        return try await send(
            .post, path, form: fields.merging(keys) { first, _ in first }, headers: headers)
    }

    /// The value of a hidden field.
    static func value(of name: String, in markup: String) -> String {
        guard let mark = markup.firstRange(of: "name=\"\(name)\" value=\"") else { return "" }
        return String(markup[mark.upperBound...].prefix { $0 != "\"" })
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, form: [String: String]?, headers: HTTPFields
    ) async throws -> Answer {
        var headers = headers
        if let cookie { headers[.cookie] = cookie }
        let body = form.map { fields in
            fields.flatMap { name, value in value.split(separator: "\n").map { "\(name)=\(encoded(String($0)))" } }
                .joined(separator: "&")
        }
        return try await farm.send(method, path, as: nil, body: body, headers: headers)
    }

    private func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            byte == 0x20 ? "+" : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

extension Answer {
    /// A page with the apostrophes that its messages have.
    var words: String { text.replacing("&#39;", with: "'") }

    /// Whether a page says why a request was refused. There the API's message begins with a capital letter, and ends with a
    /// full stop.
    func says(_ message: String) -> Bool {
        words.contains(">\(message.prefix(1).uppercased() + message.dropFirst()).</p>")
    }
}

extension HTTPField.Name {
    static let fetchSite = named("Sec-Fetch-Site")
    static let fetchMode = named("Sec-Fetch-Mode")
    static let fetchDest = named("Sec-Fetch-Dest")
    static let lastEvent = named("Last-Event-ID")
    static let referer = named("Referer")
    static let part = named("Spool-Part")
    static let policy = named("Content-Security-Policy")
    static let frames = named("X-Frame-Options")
    static let referrers = named("Referrer-Policy")
    static let forwarded = named("X-Forwarded-Proto")

    private static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("'\(name)' is a header's name") }
        return name
    }
}
