import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import FoundationEssentials

/// Notes who changed the farm: every request of a route that only the scope `admin` may use, except those that read. It is
/// noted before it is carried out, so that nothing is changed that is not in the log.
struct AdminLog: Sendable {
    let store: any AdminLogStore

    func covers(_ route: RouteDescription, _ method: HTTPRequest.Method) -> Bool {
        route.scopes == [.admin] && method != .get && method != .head
    }

    func noting(
        _ route: RouteDescription, _ request: Request, _ caller: Caller, _ context: FarmRequestContext,
        _ handler: DescribedRouter.Handler
    ) async throws -> Response {
        guard let principal = context.principal else { throw RequestFault(.unauthorized, "a token is needed") }
        var request = request
        let body = try await request.bytes(upTo: FarmService.bodyLimit, context)
        request.body = Hummingbird.RequestBody(buffer: ByteBuffer(bytes: body))
        // A NUL is no character of a text in PostgreSQL.
        let text = String(decoding: body, as: UTF8.self).filter { $0 != "\0" }.prefix(AdminAction.bodyLimit)
        let id = try await store.begin(
            AdminAction(
                id: 0, at: Date(), token: principal.token, tenant: principal.tenant, address: context.address,
                operation: route.operation, path: String(request.uri.path.prefix(AdminAction.bodyLimit)), body: String(text)))
        do {
            let response = try await handler(request, caller, context)
            await end(id, response.status.code, context)
            return response
        } catch {
            await end(id, (RequestFault(error)?.code ?? .internalError).status, context)
            throw error
        }
    }

    private func end(_ id: Int64, _ status: Int, _ context: FarmRequestContext) async {
        do {
            try await store.end(action: id, status: status)
        } catch {
            context.logger.warning("the outcome \(status) of the operator's action \(id) cannot be noted: \(error)")
        }
    }
}
