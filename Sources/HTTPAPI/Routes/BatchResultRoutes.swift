import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird
import NIOCore
import FoundationEssentials

/// Sends the manifest of a batch: what became of each of its rows, as JSON or CSV. Rows are read and sent in parts, so
/// that a manifest of any length takes little memory.
struct BatchResultRoutes {
    let store: any BatchStore

    /// The form of a manifest.
    private enum Format: String, CaseIterable { case json, csv }

    /// How many rows are read at a time.
    private static let rowsAtOnce = 1000

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/batches/:id/results", "getBatchResults",
                "Sends the manifest of a batch: for each row its number, state, file name, export, and the reason why there is no "
                    + "film. As JSON it is an object with `batch` and `rows`. As CSV it has the columns `row`, `state`, `output`, "
                    + "`export`, `frames`, `finishedAt` and `message`, and for each column of the batch one named `column.NAME`.",
                scopes: [.read], parameters: [.batch],
                headers: [RequestHeader("Accept", "`text/csv` asks for CSV where the query has no `format`")],
                query: [
                    .choice("format", Format.self, "the form of the manifest, by default JSON"),
                    .choice("state", BatchRowState.self, "only rows in this state"),
                ],
                answers: [
                    .json(BatchManifest.Document.self, "the manifest"),
                    RouteAnswer(200, "text/csv; charset=utf-8; header=present", "the manifest"),
                ],
                faults: [.badRequest, .notFound]), head: head, use: results)
    }

    private func format(_ request: Request) throws -> (Format, BatchRowState?) {
        let query = try request.query("format", "state")
        let accepts = request.headers[.accept]?.lowercased().contains("text/csv") ?? false
        let format = try query.choice("format", Format.self) ?? (accepts ? .csv : .json)
        return (format, try query.choice("state", BatchRowState.self))
    }

    private static func headers(_ format: Format) -> HTTPFields {
        let type = format == .csv ? "text/csv; charset=utf-8; header=present" : "application/json"
        return [.contentType: type, .cacheControl: "no-store"]
    }

    /// The head of the answer to GET. Its length is unknown, so it has no Content-Length.
    @Sendable private func head(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let (format, _) = try format(request)
        _ = try await store.batch(of: context, caller)
        return Response(
            status: .ok, headers: BatchResultRoutes.headers(format), body: ResponseBody { try await $0.finish(nil) })
    }

    @Sendable private func results(
        _ request: Request, _ caller: Caller, _ context: FarmRequestContext
    ) async throws -> Response {
        let (format, state) = try format(request)
        let batch = try await store.batch(of: context, caller)
        let first = try await store.results(of: batch.id, after: 0, state: state, limit: BatchResultRoutes.rowsAtOnce)
        let columns = format == .csv ? try await columns(of: batch.id) : []
        return Response(
            status: .ok, headers: BatchResultRoutes.headers(format),
            body: ResponseBody { writer in
                var text = format == .csv ? BatchManifest.header(columns) : try BatchManifest.opening(batch)
                var page = first
                var isFirst = true
                while !page.isEmpty {
                    for result in page {
                        text +=
                            format == .csv
                            ? BatchManifest.line(result, columns) : (isFirst ? "\n" : ",\n") + (try BatchManifest.json(result))
                        isFirst = false
                    }
                    try await writer.write(ByteBuffer(string: text))
                    text = ""
                    guard page.count == BatchResultRoutes.rowsAtOnce, let last = page.last else { break }
                    page = try await store.results(
                        of: batch.id, after: last.row, state: state, limit: BatchResultRoutes.rowsAtOnce)
                }
                if format == .json { text += BatchManifest.closing }
                if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
                try await writer.finish(nil)
            })
    }

    /// The names of all columns that a row of the batch has, sorted.
    private func columns(of id: BatchID) async throws -> [String] {
        var names: Set<String> = []
        var page = try await store.results(of: id, after: 0, state: nil, limit: BatchResultRoutes.rowsAtOnce)
        while let last = page.last {
            for result in page { names.formUnion(result.values.keys) }
            guard page.count == BatchResultRoutes.rowsAtOnce else { break }
            page = try await store.results(of: id, after: last.row, state: nil, limit: BatchResultRoutes.rowsAtOnce)
        }
        return names.sorted()
    }
}
