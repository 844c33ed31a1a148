import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// The common part of all answers: headers that keep other sites out, and plain texts for requests that fail.
struct PreviewFrame: RouterMiddleware {
    typealias Context = PreviewRequestContext

    func handle(
        _ request: Request, context: PreviewRequestContext,
        next: (Request, PreviewRequestContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            let fault = try PreviewFrame.fault(of: error)
            if fault.code == .internalError {
                context.logger.error("\(request.method) \(request.uri.path) failed", metadata: ["error": "\(error)"])
            }
            response = .text(fault.message + "\n", status: .init(code: fault.code.rawValue))
            if let pause = fault.retryAfter { response.headers[.retryAfter] = "\(pause)" }
        }
        for (name, value) in PreviewFrame.headers where response.headers[name] == nil { response.headers[name] = value }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// - Throws: errors of connections that are gone, which have no answer.
    private static func fault(of error: any Error) throws -> PreviewFault {
        switch error {
        case let fault as PreviewFault: fault
        case is CancellationError, is HTTPParserError: throw error
        case let error as HTTPError where error.status == .notFound:
            PreviewFault(.notFound, "there is nothing at this address; the page is at /")
        case let error as HTTPError:
            PreviewFault(.badRequest, "the request cannot be answered: \(error.body ?? error.status.reasonPhrase)")
        default: PreviewFault(.internalError, "an error occurred in the server; the terminal of 'spool preview' shows it")
        }
    }

    /// Nothing is loaded from elsewhere, the page has no scripts or styles within, and no other site may show it in a frame
    /// or read an answer. Scripts read media files, and give them to the player as `blob:`.
    private static let headers: [(HTTPField.Name, String)] = [
        (
            .named("Content-Security-Policy"),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self' blob:; "
                + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        (.named("X-Content-Type-Options"), "nosniff"), (.named("X-Frame-Options"), "DENY"),
        (.named("Referrer-Policy"), "no-referrer"), (.named("Cross-Origin-Resource-Policy"), "same-origin"),
        (.named("Cross-Origin-Opener-Policy"), "same-origin"), (.cacheControl, "no-store"),
    ]
}

extension Response {
    static func text(_ text: String, status: HTTPResponse.Status = .ok, type: String = "text/plain; charset=utf-8") -> Response {
        Response(status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    static func bytes(_ bytes: some Sequence<UInt8>, type: String) -> Response {
        Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension HTTPField.Name {
    /// The header with a name that is written in the source.
    static func named(_ name: StaticString) -> HTTPField.Name {
        guard let field = HTTPField.Name(name.description) else { preconditionFailure("'\(name)' is a header's name") }
        return field
    }
}
