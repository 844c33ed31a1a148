import Coordinator
import FarmAPI
import FarmClient
import TestServer
import TestSupport
import Testing
import FoundationEssentials
import Hummingbird

@Suite("The lists of the command line")
struct ListCommandTests {
    private func spool(_ farm: LiveFarm, _ arguments: String...) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(arguments + ["--server", farm.address, "--token", LiveFarm.token])
    }

    /// A farm with exports of three labels, of which the last one is cancelled.
    private func serve(_ work: @Sendable (LiveFarm, [ExportID]) async throws -> Void) async throws {
        try await LiveFarm.serve { farm in
            var ids: [ExportID] = []
            for (label, priority) in [("beach", 5), ("an \"old\", film", 3), ("city", 40)] {
                let export = try await farm.client.submit(
                    ExportSubmission(document: LiveFarm.draft, options: .init(label: label, priority: priority)),
                    key: "\(priority)")
                ids.append(export.id)
            }
            _ = try await farm.client.cancel(ids[2])
            try await work(farm, ids)
        }
    }

    @Test("Exports are filtered, sorted and shown with the columns that are asked for")
    func exports() async throws {
        try await serve { farm, ids in
            let sorted = try await spool(farm, "status", "--sort", "priority:desc", "--columns", "label,priority,state")
            #expect(
                sorted.output == """
                    LABEL           PRIORITY  STATE
                    city                  40  cancelled
                    beach                  5  submitted
                    an "old", film         3  submitted

                    """, "\(sorted)")
            let csv = try await spool(farm, "status", "--csv", "--columns", "label,age", "--filter", "state=submitted")
            let lines = csv.output.split(separator: "\n").map(String.init)
            #expect(lines.count == 3 && lines[0] == "label,age" && lines[1].hasPrefix("\"an \"\"old\"\", film\",20"), "\(csv)")
            #expect(lines[1].hasSuffix("Z"), "times are in UTC")
            let json = try await spool(farm, "status", "--json", "--filter", "priority=5")
            #expect(try FarmJSON.decode([Export].self, from: Data(json.output.utf8)).map(\.id) == [ids[0]])
            let first = try await spool(farm, "status", "--limit", "1", "--sort", "priority", "--csv", "--columns", "label")
            #expect(first.output == "label\n\"an \"\"old\"\", film\"\n", "sorted before it is cut: \(first)")
            let matched = try await spool(
                farm, "status", "--limit", "1", "--filter", "label=beach", "--csv", "--columns", "label")
            #expect(matched.output == "label\nbeach\n", "filtered before it is cut: \(matched)")
            let named = try await spool(
                farm, "status", ids[0].text, ids[2].text, "--filter", "state=cancelled", "--csv", "--columns", "label")
            #expect(named.output == "label\ncity\n", "\(named)")
            let utc = try await spool(farm, "status", "--utc", "--columns", "age", "--limit", "1")
            #expect(utc.output.contains("SUBMITTED\n20") && utc.output.hasSuffix("Z\n"), "\(utc)")
        }
    }

    @Test("Filters reach beyond the first page", .timeLimit(.minutes(2)))
    func pages() async throws {
        try await LiveFarm.serve { farm in
            for number in 0..<1005 {
                let request = ExportRequest(.document("{}"), label: number == 0 ? "first" : "film \(number)")
                _ = try await farm.store.submit(request, id: ExportID(), tenant: 1, idempotency: nil)
            }
            let found = try await spool(farm, "status", "--filter", "label=first", "--csv", "--columns", "label")
            #expect(found.output == "label\nfirst\n", "\(found)")
            let sorted = try await spool(farm, "status", "--sort", "label:desc", "--limit", "2", "--csv", "--columns", "label")
            #expect(sorted.output == "label\nfirst\nfilm 999\n", "\(sorted)")
            let piped = try await ShellTool.run(
                """
                set -o pipefail; SPOOL_SERVER=\(farm.address) SPOOL_TOKEN=\(LiveFarm.token) '\(SpoolTool.executable)' status \
                  --limit 1000 --csv | head -n 1
                """)
            #expect(piped.output == "export,state,done,frames,jobs,age,label\n", "\(piped)")
        }
    }

    @Test("What a list does not know is refused before the farm is asked, with the names that there are")
    func refused() async throws {
        for (words, message) in [
            (["status", "--sort", "size"], "--sort knows no column 'size'; there are export, state, done"),
            (["job", "ls", "--columns", "job,size"], "--columns knows no column 'size'; there are job, kind, number"),
            (["worker", "ls", "--filter", "size=1"], "--filter knows no column 'size'; there are worker, host, roles"),
            (["draft", "ls", "--filter", "name"], "--filter takes COLUMN=VALUE, not 'name'"),
            (["job", "ls", "--sort", "job:down"], "--sort takes a column, and :desc or :asc behind it, not ':down'"),
            (["job", "ls", "--json", "--csv"], "--json and --csv exclude each other"),
            (["draft", "ls", "--json", "--columns", "draft"], "--columns goes with tables and --csv"),
            (["status", "--filter", "state=done"], "--filter state=done: there is no such state; there are submitted"),
            (["job", "ls", "--filter", "role=video", "--role", "audio"], "no line has two values in the column 'role'"),
            (["job", "ls", "--limit", "1001"], "--limit must be 1...1000, not 1001"),
        ] {
            // Nothing listens there.
            let outcome = try await SpoolTool.run(words + ["--server", "http://127.0.0.1:1", "--token", "t"])
            #expect(outcome.status == 64 && outcome.errors.contains(message), "\(words): \(outcome.errors)")
        }
    }

    @Test("Jobs, workers and drafts are listed in the same manner, also where there are none")
    func others() async throws {
        try await serve { farm, ids in
            try await farm.complete(ids[0])
            let jobs = try await spool(
                farm, "job", "ls", "--filter", "state=done", "--filter", "kind=stitch", "--csv", "--columns", "job,kind,export")
            #expect(jobs.output == "job,kind,export\n1,stitch,\(ids[0])\n", "\(jobs)")
            let none = try await spool(farm, "worker", "ls", "--sort", "busy:desc", "--csv")
            #expect(none.output == "worker,host,roles,busy,memory,state,seen,renders\n", "\(none)")
            for name in ["b", "a"] {
                _ = try await farm.client.putDraft(name, document: Data(LiveFarm.draft.utf8))
            }
            let drafts = try await spool(farm, "draft", "ls", "--sort", "draft:desc", "--columns", "draft")
            #expect(drafts.output == "DRAFT\nb\na\n", "\(drafts)")
        }
    }

    @Test("A coordinator of an earlier version is named where it lacks what is asked for")
    func earlier() async throws {
        let router = Router()
        router.middlewares.add(EarlierCoordinator())
        try await serving(router) { port in
            for words in [["draft", "history", "d"], ["queue", "peek"], ["worker", "resume", "w"]] {
                let outcome = try await SpoolTool.run(words + ["--server", "http://127.0.0.1:\(port)", "--token", "t"])
                #expect(outcome.status == 65, "\(outcome)")
                #expect(
                    outcome.errors.contains(
                        "the coordinator at http://127.0.0.1:\(port) is of an earlier version, which cannot "),
                    "\(outcome)")
                #expect(outcome.errors.contains("; upgrade it\n"))
            }
        }
    }
}

/// Answers as a coordinator does that lacks every address.
private struct EarlierCoordinator: RouterMiddleware {
    func handle(
        _ request: Request, context: BasicRequestContext, next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let problem = Problem(.notFound, "there is nothing at this address", diagnostics: [], request: "r")
        return Response(
            status: .notFound, headers: [.contentType: "application/problem+json"],
            body: .init(byteBuffer: .init(bytes: try FarmJSON.encode(problem))))
    }
}
