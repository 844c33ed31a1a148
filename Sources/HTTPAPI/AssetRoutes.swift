import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Uploaded sources, named by the sha256 of their bytes.
struct AssetRoutes {
    let store: any LibraryStore
    let blobs: any AssetBlobs
    /// Bytes of one asset.
    let limit: Int64
    let uploads: Slots

    init(_ service: FarmService) {
        store = service.store
        blobs = service.assets
        limit = service.options.assetLimit
        uploads = service.uploads
    }

    func add(to v1: RouterGroup<FarmRequestContext>) {
        v1.head("assets/:hash", use: get)
        v1.get("assets/:hash", use: get)
        v1.put("assets/:hash", use: put)
        v1.get("assets", use: list)
    }

    /// The asset itself; asked for its head alone, whether an upload can be left out. An asset whose file is gone counts as
    /// missing: uploading it again mends that.
    @Sendable private func get(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = request.method == .head ? try context.caller(.submit, .read) : try context.caller(.read)
        let hash = try hash(context)
        guard try await store.asset(hash, tenant: caller.tenant) != nil,
            let path = try await blobs.file(of: hash, tenant: caller.tenant), let file = try SentFile(path, tag: hash)
        else {
            throw RequestFault(.notFound, "the farm has no asset '\(hash)'")
        }
        return try await file.response(to: request, "the asset", context)
    }

    @Sendable private func put(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.submit)
        let hash = try hash(context)
        let name = try name(request) ?? hash
        return try .json(try await receive(request, as: hash, name: name, tenant: caller.tenant), status: .created)
    }

    /// Takes a request's body in as an asset.
    /// - Parameter hash: what it has to be; nil takes it as it is.
    /// - Throws: `RequestFault` or `AssetUploadError`; nothing is left of the bytes then.
    func receive(_ request: Request, as expected: String?, name: String, tenant: Int64) async throws -> Asset {
        let length = request.headers[.contentLength].flatMap(Int64.init)
        if let length, length > limit { throw tooLarge() }
        let slot = try uploads.take("\(tenant)", what: "uploads", whose: "a tenant")
        defer { withExtendedLifetime(slot) {} }
        let upload = try await blobs.beginUpload(tenant: tenant)
        let (hash, byteCount): (String, Int64)
        do {
            var received: Int64 = 0
            for try await buffer in request.body {
                received += Int64(buffer.readableBytes)
                guard received <= limit else { throw tooLarge() }
                try await upload.write(buffer)
            }
            // A connection that breaks looks like an end here.
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

    @Sendable private func list(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let caller = try context.caller(.read)
        let limit = try request.query("limit").limit()
        return try .json(Listing(try await store.assets(tenant: caller.tenant, limit: limit), at: Date()))
    }

    private func hash(_ context: FarmRequestContext) throws -> String {
        let hash = try context.parameters.require("hash")
        guard TextCheck.isHash(hash) else {
            throw RequestFault(.badRequest, "an asset is named by its sha256, 64 digits 0-9 and a-f, not '\(hash)'")
        }
        return hash
    }

    /// What the file was called, percent-encoded in `Asset-Name`.
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
