import FarmAPI
import HTTPTypes
import Hummingbird

/// Answers 405 when an address exists but not for the request's method, and lists the methods that it has (RFC 9110,
/// section 15.5.6). The router alone would answer 404.
struct AllowedMethods: RouterMiddleware {
    typealias Context = FarmRequestContext

    private struct Address {
        var parts: [Substring]
        var methods: Set<HTTPRequest.Method>
        var parameterCount: Int { parts.count { $0.hasPrefix(":") } }
    }

    private var addresses: [Address] = []

    /// - Parameter routes: everything that the router knows. `HEAD` is added where there is a `GET`.
    init(of routes: [RouteDescription]) {
        var methods: [String: Set<HTTPRequest.Method>] = [:]
        for route in routes {
            methods[route.path, default: []].insert(route.method)
            if route.method == .get { methods[route.path, default: []].insert(.head) }
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
                .methodNotAllowed, "this address does not support \(request.method.rawValue); it supports \(names)",
                headers: [("Allow", names)])
        }
    }

    private func methods(at path: String) -> Set<HTTPRequest.Method> {
        let asked = AllowedMethods.parts(path)
        let fitting = addresses.filter { address in
            address.parts.count == asked.count && zip(address.parts, asked).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
        }
        // An address without parameters goes before one with, as in the router.
        let parameters = fitting.map(\.parameterCount).min() ?? 0
        return fitting.filter { $0.parameterCount == parameters }.reduce(into: []) { $0.formUnion($1.methods) }
    }

    private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") }
}
