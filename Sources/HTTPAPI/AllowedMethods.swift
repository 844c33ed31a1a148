import FarmAPI
import HTTPTypes
import Hummingbird

/// Answers a method that an address does not know with 405 and the methods that it knows (RFC 9110, section 15.5.6); the router
/// by itself would say that there is no such address.
struct AllowedMethods: RouterMiddleware {
    typealias Context = FarmRequestContext

    private struct Address {
        var parts: [Substring]
        var methods: Set<HTTPRequest.Method>
    }

    private var addresses: [Address] = []

    /// - Parameter routes: everything that the router knows. `HEAD` is added where there is a `GET`.
    init(of routes: [Router<FarmRequestContext>.RouteDescription]) {
        var methods: [String: Set<HTTPRequest.Method>] = [:]
        for route in routes {
            methods[route.path.description, default: []].insert(route.method)
            if route.method == .get { methods[route.path.description, default: []].insert(.head) }
        }
        addresses = methods.map { Address(parts: AllowedMethods.parts($0.key), methods: $0.value) }
    }

    func handle(
        _ request: Request, context: FarmRequestContext, next: (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            // Only the router throws this; routes throw `RequestFault`.
            let methods = methods(at: request.uri.path)
            guard !methods.isEmpty else { throw error }
            let names = methods.map(\.rawValue).sorted().joined(separator: ", ")
            throw RequestFault(
                .methodNotAllowed, "this address does not know \(request.method.rawValue); it knows \(names)",
                headers: [.allow: names])
        }
    }

    private func methods(at path: String) -> Set<HTTPRequest.Method> {
        let asked = AllowedMethods.parts(path)
        let fitting = addresses.filter { address in
            address.parts.count == asked.count && zip(address.parts, asked).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        return fitting.reduce(into: []) { $0.formUnion($1.methods) }
    }

    private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") }
}
