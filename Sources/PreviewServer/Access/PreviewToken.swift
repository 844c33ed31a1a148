import ContentHashing
import HTTPTypes
import Hummingbird

/// The secret that opens the preview. `spool preview` makes a new one each time, and prints it within the page's address.
package struct PreviewToken: Sendable {
    let text: String

    /// - Returns: nil for a text that is shorter than 16 characters, or has others than letters, digits, `.`, `_` and `-`:
    ///   it stands in addresses and in a cookie as it is.
    package init?(_ text: String) {
        guard (16...200).contains(text.utf8.count), text.utf8.allSatisfy(\.isPlain) else { return nil }
        self.text = text
    }

    /// Browsers send cookies to every port of a host, so each preview has a name of its own: two can be open at a time.
    var cookieName: String { "spool-preview-\(ContentHash.of("spool preview\n\(text)".utf8).prefix(8))" }

    /// The cookie that lets the page in. Scripts cannot read it, other sites cannot use it, and it ends with the browser.
    var cookie: String { "\(cookieName)=\(text); Path=/; HttpOnly; SameSite=Strict" }

    /// Whether a request has the token, in the cookie or in its address.
    func isHeld(by request: Request) -> Bool {
        if let cookie = request.cookies[cookieName], matches(cookie.value) { return true }
        return request.queryToken.map { matches($0) } ?? false
    }

    /// Compares all bytes, so that the time which that takes says nothing about the token.
    func matches(_ given: some StringProtocol) -> Bool {
        let (own, other) = (Array(text.utf8), Array(given.utf8))
        var difference: UInt8 = own.count == other.count ? 0 : 1
        for place in own.indices { difference |= own[place] ^ (place < other.count ? other[place] : 0) }
        return difference == 0
    }
}

extension Request {
    /// The token in the address; nil where there is none.
    var queryToken: Substring? { uri.queryParameters.first { $0.key == "token" }?.value }
}
