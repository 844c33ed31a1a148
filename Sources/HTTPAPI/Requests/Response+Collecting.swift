import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

extension Response {
    /// All bytes of the body, which can be read once.
    func collectedBody() async throws -> ByteBuffer {
        let collected = CollectedBody()
        try await body.write(CollectingWriter(collected))
        return collected.bytes.withLock { $0 }
    }
}

private final class CollectedBody: Sendable {
    let bytes = Mutex(ByteBuffer())
}

private struct CollectingWriter: ResponseBodyWriter {
    private let collected: CollectedBody

    init(_ collected: CollectedBody) { self.collected = collected }

    mutating func write(_ buffer: ByteBuffer) async throws {
        collected.bytes.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
