import FoundationEssentials

extension Connections {
    /// Sends a GET or HEAD request and follows redirects (RFC 9110, section 15.4). The rules on addresses hold for each
    /// of them. Another server gets only the headers that say what is wanted, because others may be secret.
    /// - Parameters:
    ///   - limit: the greatest number of redirects.
    ///   - complaint: says why an address may not be asked for, as a sentence; nil where it may.
    /// - Returns: the first answer that is no redirect.
    /// - Throws: `TransferError`: also `forbiddenAddress` where there is a complaint, and `tooManyRedirects`; or
    ///   `CancellationError`.
    package func execute(
        _ request: OutgoingRequest, redirects limit: Int, complaint: @Sendable (String) -> String?
    ) async throws -> IncomingResponse {
        var request = request
        for _ in 0...limit {
            if let complaint = complaint(request.url) { throw TransferError(.forbiddenAddress, complaint) }
            let response = try await execute(request)
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("Location") else {
                return response
            }
            guard let next = URL(string: location, relativeTo: URL(string: request.url))?.absoluteString else {
                throw TransferError(.other, "the server redirects to something that is no address")
            }
            if Connections.place(of: next) != Connections.place(of: request.url) {
                request.headers.removeAll { !Connections.harmless.contains($0.name.lowercased()) }
                request.signature = nil
            }
            request.url = next
        }
        throw TransferError(.tooManyRedirects, "the server redirects more than \(limit) times")
    }

    /// Headers that say what is wanted, and nothing about who asks.
    private static let harmless: Set<String> = [
        "accept", "range", "if-match", "if-none-match", "if-range", "if-modified-since", "user-agent",
    ]

    /// What an address and another have in common when they lead to the same server.
    private struct Place: Equatable {
        /// In small letters; empty where the text is no address.
        var scheme: String
        var host: String?
        var port: Int?
    }

    private static func place(of address: String) -> Place {
        let parts = URLComponents(string: address)
        let scheme = parts?.scheme?.lowercased() ?? ""
        return Place(scheme: scheme, host: parts?.host?.lowercased(), port: parts?.port ?? (scheme == "https" ? 443 : 80))
    }
}
