import HTTPTypes
import Hummingbird
import Telemetry

/// Counts requests, and measures the time until the head of their answers. Requests are told apart by the routes as they
/// are described, never by their addresses.
struct RequestMetrics: RouterMiddleware {
    typealias Context = FarmRequestContext

    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    func handle(
        _ request: Request, context: FarmRequestContext, next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        let began = ContinuousClock.now
        // A method is any word that a client likes.
        let method = RequestMetrics.methods.contains(request.method.rawValue) ? request.method.rawValue : "other"
        func count(_ status: String) {
            let route = context.endpointPath ?? "none"
            FarmMetric.requests.add(1, method, route, status)
            FarmMetric.requestTime.observe(began.duration(to: .now), method, route)
        }
        do {
            let response = try await next(request, context)
            count("\(response.status.code / 100)xx")
            return response
        } catch {
            // The client hung up: there is no answer.
            count("none")
            throw error
        }
    }
}
