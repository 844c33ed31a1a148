package import FarmAPI

/// The farm's bucket, for workers without keys.
extension FarmClient {
    package func store() async throws -> StoreReport { try await call("GET", "/v1/store", as: StoreReport.self) }

    package func sign(_ request: StoreRequest) async throws -> SignedAddress {
        try await call("POST", "/v1/store/addresses", body: try FarmJSON.encode(request), as: SignedAddress.self)
    }
}
