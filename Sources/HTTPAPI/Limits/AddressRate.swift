import FarmAPI
import Hummingbird

/// Holds each address to so many requests in a second, before anybody looks at the token. `/healthz` is answered all the same.
struct AddressRate: RouterMiddleware {
    typealias Context = FarmRequestContext

    let rate: RequestRate

    init(_ limits: RequestLimits) {
        rate = RequestRate(
            perSecond: limits.requestsPerSecondPerAddress, burst: limits.requestsPerSecondPerAddress * 10)
    }

    func handle(
        _ request: Request, context: FarmRequestContext, next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        if request.uri.path != "/healthz", let address = context.address, let pause = rate.take(address) {
            throw RequestFault(tooOftenFrom: "this address", pause: pause)
        }
        return try await next(request, context)
    }
}

/// Holds each token to so many requests in a second, and to so many at a time.
struct TokenBudget: Sendable {
    private let rate: RequestRate
    private let atOnce: Slots

    init(_ limits: RequestLimits) {
        rate = RequestRate(perSecond: limits.requestsPerSecondPerToken, burst: limits.requestsPerSecondPerToken * 10)
        atOnce = Slots(.max, perHolder: limits.requestsAtOncePerToken)
    }

    /// - Parameter token: its hash.
    /// - Returns: a place, to be held until the request is answered.
    /// - Throws: `RequestFault` `tooManyRequests`.
    func take(_ token: String) throws -> Slots.Slot {
        if let pause = rate.take(token) { throw RequestFault(tooOftenFrom: "this token", pause: pause) }
        return try atOnce.take(token, what: "requests", whose: "a token")
    }
}

extension RequestFault {
    fileprivate init(tooOftenFrom holder: String, pause: Double) {
        let seconds = Int(pause.rounded(.up))
        self.init(
            .tooManyRequests, "\(holder) sends too many requests; try again in \(seconds) s",
            headers: [.retryAfter: "\(seconds)"])
    }
}
