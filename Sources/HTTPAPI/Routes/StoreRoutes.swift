package import ArtifactStore
package import FarmAPI
import Hummingbird
import FoundationEssentials

/// A farm's bucket, whose requests a coordinator signs for workers without keys.
package struct SharedStore: Sendable {
    let report: StoreReport
    let access: WorkerAccess

    package init(_ report: StoreReport, _ access: WorkerAccess) {
        self.report = report
        self.access = access
    }
}

/// Lets workers use the farm's bucket without keys of their own.
struct StoreRoutes {
    /// nil where the store is a directory.
    let store: SharedStore?

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/store", "getStore",
                "Says which bucket the farm's files are in. 409 where they are in a directory, which workers have to share.",
                scopes: [.work], answers: [.json(StoreReport.self, "the bucket")], faults: [.conflict]), use: show)
        router.add(
            RouteDescription(
                .post, "/v1/store/addresses", "signStoreRequest",
                "Signs a request to the bucket, so that a worker needs no keys. Workers may read the farm's files, store "
                    + "artifacts and assets, also with bytes of the same tenant's artifacts, and remove the records of "
                    + "damaged artifacts; 403 for anything else.",
                scopes: [.work],
                body: .json(
                    StoreRequest.self, "the request",
                    [
                        .init("method", "`GET`, `HEAD`, `PUT`, `POST` or `DELETE`"),
                        .init("name", "the file's name in the store; without it the bucket itself", .string(1...800)),
                        .init("query", "names and values of the request's query, at most 8"),
                        .init("headers", "the request's headers whose names begin with `x-amz-`, at most 8"),
                    ]),
                answers: [.json(SignedAddress.self, "the address, which is valid for ten minutes")],
                faults: [.badRequest, .conflict, .tooLarge]), use: sign)
    }

    private func found() throws -> SharedStore {
        guard let store else {
            throw RequestFault(.conflict, "the farm's store is a directory; start workers with --store and its path")
        }
        return store
    }

    @Sendable private func show(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        try .json(try found().report)
    }

    @Sendable private func sign(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let wanted = try await request.body(StoreRequest.self, context)
        let store = try found()
        let (query, headers) = (wanted.query ?? [:], wanted.headers ?? [:])
        let values = query.map { $0 } + headers.map { $0 }
        let isShort = values.allSatisfy { $0.key.utf8.count <= 100 && $0.value.utf8.count <= 2000 }
        let isPlain = headers.values.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } }
        guard query.count <= 8, headers.count <= 8, isShort, isPlain else {
            throw RequestFault(.badRequest, "the query or the headers are not those of a request to a bucket")
        }
        let name = try wanted.name.map { text in
            guard let name = BlobName(text) else { throw RequestFault(.badRequest, "'name' is not the name of a file") }
            return name
        }
        let blob = BlobRequest(wanted.method.rawValue, name, query: query, headers: headers)
        let expiresAt = Date().addingTimeInterval(WorkerAccess.lifetime / .seconds(1))
        guard let address = try await store.access.address(of: blob) else {
            throw RequestFault(.forbidden, "workers do not send this request to the farm's bucket")
        }
        return try .json(SignedAddress(address, expiresAt: expiresAt), headers: [.cacheControl: "no-store"])
    }
}
