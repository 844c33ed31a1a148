import FarmAPI
import Hummingbird

/// Limits the requests per second of each client address before the token is checked. `/healthz` is always answered.
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
            throw RequestFault(tooOftenFrom: "this address", pause: pause, rate.fields(address))
        }
        return try await next(request, context)
    }
}

/// Limits the requests per second of each token, and how many of them run at the same time.
struct TokenBudget: Sendable {
    private let rate: RequestRate
    private let atOnce: Slots

    init(_ limits: RequestLimits) {
        rate = RequestRate(perSecond: limits.requestsPerSecondPerToken, burst: limits.requestsPerSecondPerToken * 10)
        atOnce = Slots(.max, perHolder: limits.requestsAtOncePerToken)
    }

    /// The rate and what is left of it, as header fields.
    func fields(_ token: String) -> [(name: String, value: String)] { rate.fields(token) }

    /// - Parameter token: the token's hash.
    /// - Returns: a slot, to be held until the request is answered.
    /// - Throws: `RequestFault` `tooManyRequests`.
    func take(_ token: String) throws -> Slots.Slot {
        if let pause = rate.take(token) {
            throw RequestFault(tooOftenFrom: "this token", pause: pause, rate.fields(token))
        }
        return try atOnce.take(token, what: "requests", whose: "a token")
    }
}

extension RequestFault {
    fileprivate init(tooOftenFrom holder: String, pause: Double, _ fields: [(name: String, value: String)]) {
        let seconds = Int(pause.rounded(.up))
        self.init(
            .tooManyRequests, "\(holder) sends too many requests; try again in \(seconds) s",
            headers: [("Retry-After", "\(seconds)")] + fields)
    }
}
