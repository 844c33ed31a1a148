package import FarmAPI
import Hummingbird

/// Slows down clients that guess tokens. An address that has sent too many unknown tokens is refused every token that was
/// not accepted within the last hour, before the database is asked. Clients that share the address, as those behind a
/// proxy do, go on with theirs.
package struct TokenGuesses: Sendable {
    /// How many unknown tokens an address may send at once, and how many more each second.
    package static let burst = 30
    private static let perSecond = 1

    private let rate = RequestRate(perSecond: perSecond, burst: burst)
    private let accepted = RememberedPrincipals(capacity: 4096)

    package init() {}

    /// - Throws: `RequestFault` `tooManyRequests` for a token that may be a guess.
    package func check(_ hash: String, from address: String?) throws {
        guard let address, accepted.principal(of: hash) == nil, let pause = rate.pause(address) else { return }
        let seconds = Int(pause.rounded(.up))
        throw RequestFault(
            .tooManyRequests, "this address has sent too many unknown tokens; try again in \(seconds) s",
            headers: [("Retry-After", "\(seconds)")])
    }

    /// Notes whose token it was; nil for an unknown one.
    package func note(_ principal: Principal?, _ hash: String, from address: String?) {
        accepted.note(principal, of: hash)
        if principal == nil, let address { _ = rate.take(address) }
    }
}
