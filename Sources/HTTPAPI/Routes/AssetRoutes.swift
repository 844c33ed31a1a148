import ArtifactStore
import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird
import FoundationEssentials

/// Uploaded sources, named by the sha256 of their bytes.
struct AssetRoutes {
    let store: any LibraryStore
    let blobs: any AssetBlobs
    /// The largest size of one asset, in bytes.
    let limit: Int64
    let uploads: Slots

    init(_ service: FarmService) {
        store = service.store
        blobs = service.assets
        limit = service.options.assetLimit
        uploads = service.uploads
    }

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .head, "/v1/assets/:hash", "checkAsset",
                "Says whether the farm has an asset, so that an upload can be skipped. An asset whose file is lost counts as "
                    + "missing, and can be uploaded again.",
                scopes: [.submit, .read], parameters: [.asset], headers: RequestHeader.ofFiles,
                answers: RouteAnswer.file("the asset's size and media type"),
                faults: [.badRequest, .notFound, .preconditionFailed, .badRange]), use: get)
        router.add(
            RouteDescription(
                .get, "/v1/assets/:hash", "downloadAsset", "Sends the bytes of an asset.", scopes: [.read], parameters: [.asset],
                headers: RequestHeader.ofFiles, answers: RouteAnswer.file("the asset"),
                faults: [.badRequest, .notFound, .preconditionFailed, .badRange]), use: get)
        router.add(
            RouteDescription(
                .put, "/v1/assets/:hash", "uploadAsset",
                "Uploads a source. An upload of an asset that the farm has already changes nothing, not even its name.",
                scopes: [.submit], parameters: [.asset],
                headers: [
                    RequestHeader(
                        "Asset-Name", "the file's name, 1...255 characters, percent-encoded; by default the hash",
                        .string(1...255))
                ],
                body: .media("the asset's bytes"), answers: [.json(Asset.self, "the asset", status: 201)],
                faults: [.badRequest, .tooLarge, .hashMismatch]), use: put)
        router.add(
            RouteDescription(
                .delete, "/v1/assets/:hash", "removeAsset",
                "Forgets an asset. 409 while an export that is not over, a draft of the library or a recording needs it. Its bytes "
                    + "go with the next collection of garbage that finds them older than a day.",
                scopes: [.submit], parameters: [.asset], answers: [RouteAnswer(204, nil, "the farm has the asset no longer")],
                faults: [.badRequest, .notFound, .conflict]), use: remove)
        router.add(
            RouteDescription(
                .get, "/v1/assets", "listAssets", "Lists the tenant's assets, the newest first.", scopes: [.read],
                query: QueryParameter.page,
                answers: [.json(Listing<Asset>.self, "a listing of assets")], faults: [.badRequest]), use: list)
    }

    /// Sends the asset's bytes. A HEAD request finds out whether an upload can be skipped. An asset whose file is gone
    /// or has another size counts as missing, so that uploading it again repairs it.
    @Sendable private func get(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let hash = try hash(context)
        guard let asset = try await store.asset(hash, tenant: caller.tenant),
            let path = try await blobs.file(of: hash, tenant: caller.tenant), let file = try FileResponse(path, tag: hash),
            Int64(file.size) == asset.byteCount
        else {
            throw RequestFault(.notFound, "the farm has no asset '\(hash)'")
        }
        return try await file.response(to: request, "the asset", context)
    }

    @Sendable private func remove(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        try await store.removeAsset(try hash(context), tenant: caller.tenant)
        return Response(status: .noContent)
    }

    @Sendable private func put(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let hash = try hash(context)
        let name = try name(request) ?? hash
        return try .json(try await receive(request, as: hash, name: name, tenant: caller.tenant), status: .created)
    }

    /// After how many bytes of an upload of unknown length the tenant's quota is looked at again.
    private static let checkInterval: Int64 = 64 << 20

    /// Stores a request's body as an asset.
    /// - Parameter expected: the sha256 that the body must have; nil accepts any body.
    /// - Throws: `RequestFault` or `AssetUploadError`; the upload is then removed.
    func receive(_ request: Request, as expected: String?, name: String, tenant: Int64) async throws -> Asset {
        let length = request.headers[.contentLength].flatMap(Int64.init)
        if let length, length > limit { throw tooLarge() }
        // The bytes of an upload that cannot be stored are not received. One that does not say its length is asked again
        // while it comes.
        let isKnown = if let expected { try await store.asset(expected, tenant: tenant) != nil } else { false }
        if !isKnown { try await store.checkRoom(forAssetOf: length ?? 0, tenant: tenant) }
        let slot = try uploads.take("\(tenant)", what: "uploads", whose: "a tenant")
        defer { withExtendedLifetime(slot) {} }
        let upload = try await blobs.beginUpload(tenant: tenant)
        let (hash, byteCount): (String, Int64)
        do {
            var received: Int64 = 0
            var nextCheck = AssetRoutes.checkInterval
            for try await buffer in request.body {
                received += Int64(buffer.readableBytes)
                guard received <= limit else { throw tooLarge() }
                if length == nil, !isKnown, received > nextCheck {
                    try await store.checkRoom(forAssetOf: received, tenant: tenant)
                    nextCheck = received + AssetRoutes.checkInterval
                }
                try await upload.write(Array(buffer.readableBytesView))
            }
            // A connection that breaks looks like the end of the body here.
            if let length, received != length {
                throw RequestFault(.badRequest, "the body ended after \(received) of \(length) bytes")
            }
            (hash, byteCount) = try await upload.finish(as: expected)
        } catch {
            await upload.abandon()
            throw error
        }
        let asset = Asset(hash: hash, byteCount: byteCount, name: name, createdAt: Date())
        try await store.putAsset(asset, tenant: tenant)
        return try await store.asset(hash, tenant: tenant) ?? asset
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let page = try Page(try request.query("limit", "cursor"))
        let place = try page.listingPlace(TextCheck.isHash)
        let assets = try await store.assets(tenant: caller.tenant, after: place, limit: page.asked)
        return try .json(page.listing(assets) { Page.text(ListingPlace(createdAt: $0.createdAt, id: $0.hash)) })
    }

    private func hash(_ context: FarmRequestContext) throws -> String {
        let hash = try context.parameters.require("hash")
        guard TextCheck.isHash(hash) else {
            throw RequestFault(.badRequest, "an asset is named by its sha256, 64 digits 0-9 and a-f, not '\(hash)'")
        }
        return hash
    }

    /// The name of the uploaded file, percent-encoded in the header `Asset-Name`.
    private func name(_ request: Request) throws -> String? {
        guard let header = request.headers[.assetName] else { return nil }
        guard let name = header.percentDecoded else {
            throw RequestFault(.badRequest, "Asset-Name must be percent-encoded UTF-8")
        }
        try TextCheck.name(name, "an asset's name")
        return name
    }

    private func tooLarge() -> RequestFault { RequestFault(.tooLarge, "an asset has at most \(limit) bytes here") }
}
