import FarmAPI
import HTTPTypes
import Hummingbird

/// Which site's page made a request, as browsers say it: `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/) and
/// `Origin` (RFC 6454). A page cannot change either.
enum RequestSite {
    /// Refuses a request that changes something unless a page of this host made it.
    /// - Throws: `RequestFault` `forbidden`.
    static func checkChange(_ request: Request) throws {
        let site = request.headers[.secFetchSite]
        let origin = request.headers[.origin]
        guard site != nil || origin != nil else {
            throw RequestFault(
                .forbidden, "the request does not say which site it comes from; use a page of the dashboard, or the API")
        }
        guard site == nil || site == "same-origin", origin.map({ isOwn($0, request) }) ?? true else {
            throw RequestFault(.forbidden, "a page of another site made this request, so nothing was changed")
        }
    }

    /// Refuses a request of another site's page for what is no page of its own, such as a fragment or a film. Links to pages
    /// may be anywhere.
    /// - Throws: `RequestFault` `forbidden`.
    static func checkReading(_ request: Request) throws {
        guard let site = request.headers[.secFetchSite], site == "cross-site" || site == "same-site" else { return }
        let isLink = request.headers[.secFetchMode] == "navigate" && request.headers[.secFetchDest] == "document"
        guard isLink else {
            throw RequestFault(.forbidden, "a page of another site made this request; open the address by itself")
        }
    }

    /// Whether an origin has the host and the port that the request was sent to. The scheme is not compared, because a proxy
    /// may have taken TLS away.
    private static func isOwn(_ origin: String, _ request: Request) -> Bool {
        guard let mark = origin.firstRange(of: "://"), let host = request.head.authority else { return false }
        let scheme = origin[..<mark.lowerBound]
        guard scheme == "http" || scheme == "https" else { return false }
        return origin[mark.upperBound...].lowercased() == host.lowercased()
    }
}

extension HTTPField.Name {
    static let secFetchSite = parsed("Sec-Fetch-Site")
    static let secFetchMode = parsed("Sec-Fetch-Mode")
    static let secFetchDest = parsed("Sec-Fetch-Dest")
    /// Asks for the content of a page only.
    static let spoolPart = parsed("Spool-Part")
    static let forwardedProtocol = parsed("X-Forwarded-Proto")
}
