/// The answer of an HTTP server. Its body arrives while it is read.
package struct IncomingResponse: Sendable {
    /// The status, 200...599.
    package var status: Int
    let headers: [(name: String, value: String)]
    /// The body, in the order in which it arrives. It can be read once.
    package var body: ResponseBody

    /// The first value of a header, whose name may be in small letters or capitals.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// The chunks of an answer's body. The transfer ends when nobody holds the body any more.
package struct ResponseBody: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    private let owner: Owner

    init(_ transfer: Transfer) {
        owner = Owner(transfer)
    }

    package func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let owner: Owner

        /// - Throws: `TransferError` when the connection breaks, or `CancellationError`.
        package func next() async throws -> [UInt8]? { try await owner.transfer.nextChunk() }
    }

    /// The whole body.
    /// - Parameter limit: the largest size in bytes.
    /// - Throws: `TransferError`; its code is `tooLarge` for a larger body.
    package func collect(upTo limit: Int) async throws -> [UInt8] {
        var whole: [UInt8] = []
        for try await chunk in self {
            guard whole.count + chunk.count <= limit else {
                throw TransferError(.tooLarge, "the answer has more than \(limit) bytes")
            }
            whole += chunk
        }
        return whole
    }

    /// Cancels the transfer with its last reader.
    fileprivate final class Owner: Sendable {
        let transfer: Transfer

        init(_ transfer: Transfer) {
            self.transfer = transfer
        }

        deinit { transfer.cancel() }
    }
}
