import ArtifactStore
import BlockingWork
import Coordinator
import FarmAPI
import Hummingbird
import JobQueue
import Recorder

/// What errors mean to a client.
extension RequestFault {
    /// What an error of the lower layers means to a client; nil when a client can do nothing about it.
    init?(_ error: any Error) {
        switch error {
        case let fault as RequestFault: self = fault
        case let error as FarmError:
            let code: FaultCode =
                switch error.code {
                case .notFound: .notFound
                case .conflict: .conflict
                case .invalid: .invalid
                case .forbidden: .forbidden
                case .quota: .tooManyRequests
                case .unavailable, .lostLead: .unavailable
                case .internalError: .internalError
                }
            self.init(code, error.message)
        case let error as RecordingError: self.init(error.code == .noSuchClip ? .notFound : .conflict, error.description)
        case let error as AssetUploadError: self.init(error.faultCode, error.message)
        case let full as BlockingPool.Full:
            self =
                full.isLaneFull
                ? RequestFault(.tooManyRequests, "too many documents of this tenant are being read; try again in a moment")
                : RequestFault(.unavailable, "the coordinator is reading too many documents; try again in a moment")
        case let error as NoAnswer: self.init(.unavailable, "\(error); try again later")
        case let error as any QueueServerError where error.isOutage:
            self.init(.unavailable, "the queue does not answer; try again later")
        case is ArtifactError, is BlobError: self.init(.unavailable, "the farm's storage does not answer; try again later")
        case let error as DecodingError: self.init(.badRequest, "the body cannot be read: \(error.explanation)")
        case let error as any HTTPResponseError: self.init(error)
        default: return nil
        }
    }

    /// A refusal by the HTTP framework itself.
    private init(_ error: any HTTPResponseError) {
        let said = (error as? HTTPError)?.body
        switch error.status {
        case .notFound: self.init(.notFound, said ?? "there is nothing at this address")
        case .methodNotAllowed: self.init(.methodNotAllowed, said ?? "this address does not support that method")
        case .contentTooLarge: self.init(.tooLarge, said ?? "the body is too large")
        case .serviceUnavailable: self.init(.unavailable, said ?? "try again later")
        case let status where status.kind == .clientError: self.init(.badRequest, said ?? status.reasonPhrase)
        default: self.init(.internalError, said ?? error.status.reasonPhrase)
        }
    }
}

extension DecodingError {
    /// One sentence: where in the body the error is, and what it is.
    fileprivate var explanation: String {
        func place(_ context: Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
            return path.isEmpty ? "" : "\(path): "
        }
        switch self {
        case .keyNotFound(let key, let context): return "\(place(context))'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context): return place(context) + context.debugDescription
        case .dataCorrupted(let context): return place(context) + context.debugDescription
        @unknown default: return "\(self)"
        }
    }
}

extension AssetUploadError {
    /// How the API reports it.
    fileprivate var faultCode: FaultCode {
        switch reason {
        case .otherHash: .hashMismatch
        case .tooLarge: .tooLarge
        case .cannotWrite: .unavailable
        }
    }
}
