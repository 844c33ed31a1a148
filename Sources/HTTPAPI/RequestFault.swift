import ArtifactStore
import BlockingWork
import Coordinator
import DraftModel
import FarmAPI
import HTTPTypes
import Hummingbird
import Recorder

/// Why a request is not done. Every route throws this; `FaultMiddleware` turns it into the answer.
struct RequestFault: Error {
    var code: FaultCode
    var message: String
    var diagnostics: [DraftDiagnostic]?
    var headers: HTTPFields = [:]

    init(_ code: FaultCode, _ message: String, diagnostics: [DraftDiagnostic]? = nil, headers: HTTPFields = [:]) {
        self.code = code
        self.message = message
        self.diagnostics = diagnostics
        self.headers = headers
    }

    /// What an error of the layers below means to a client; nil when it is none that a client can do anything about.
    init?(_ error: any Error) {
        switch error {
        case let fault as RequestFault: self = fault
        case let error as FarmError:
            let code: FaultCode =
                switch error.code {
                case .notFound: .notFound
                case .conflict: .conflict
                case .invalid: .invalid
                case .unavailable: .unavailable
                case .internalError: .internalError
                }
            self.init(code, error.message)
        case let error as RecordingError: self.init(.conflict, error.description)
        case let error as AssetUploadError: self.init(error.code, error.message)
        case let full as BlockingPool.Full:
            self =
                full.isLaneFull
                ? RequestFault(.tooManyRequests, "too many documents of this tenant are being looked at; try again in a moment")
                : RequestFault(.unavailable, "the coordinator has too many documents to look at; try again in a moment")
        case is ArtifactError: self.init(.unavailable, "the farm's storage does not answer; try again later")
        case let error as DecodingError: self.init(.badRequest, "the body cannot be read: \(error.explanation)")
        case let error as any HTTPResponseError: self.init(error)
        default: return nil
        }
    }

    /// What the framework refuses by itself.
    private init(_ error: any HTTPResponseError) {
        let said = (error as? HTTPError)?.body
        switch error.status {
        case .notFound: self.init(.notFound, said ?? "there is nothing at this address")
        case .methodNotAllowed: self.init(.methodNotAllowed, said ?? "this address does not know that method")
        case .contentTooLarge: self.init(.tooLarge, said ?? "the body is too large")
        case .serviceUnavailable: self.init(.unavailable, said ?? "try again later")
        case let status where status.kind == .clientError: self.init(.badRequest, said ?? status.reasonPhrase)
        default: self.init(.internalError, said ?? error.status.reasonPhrase)
        }
    }
}

extension DecodingError {
    /// One sentence: where and what.
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
