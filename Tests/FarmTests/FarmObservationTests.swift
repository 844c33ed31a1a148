import FarmAPI
import TestSupport
import Testing
import FoundationEssentials

/// What a real farm tells of itself while it renders a film: numbers, a log in JSON, and a trace.
@Suite(.serialized) struct FarmObservationTests {
    private struct Line: Decodable {
        var time: String
        var level: String
        var process: String
        var message: String
        var export: String?
        var job: Int?
        var attempt: Int?
    }

    /// The lines of a process's log. From the first JSON object on, each has to be one; an earlier run of the process may
    /// have written lines for people.
    private func lines(_ farm: TestFarm, _ name: String) throws -> [Line] {
        try farm.log(of: name).split(separator: "\n").drop { !$0.hasPrefix("{") }.map { line in
            do {
                return try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            } catch {
                Issue.record("not JSON: \(line)")
                throw error
            }
        }
    }

    @Test("A film leaves one trace from submission to stitch, numbers, and lines with its ids", .timeLimit(.minutes(3)))
    func film() async throws {
        try await PostgresServer.withServer { server in
            try await TestFarm.with(workers: 0, postgres: server) { farm in
                let collector = try TraceCollector(farm.directory)
                try await collector.run {
                    let settings = ["SPOOL_TRACE_ENDPOINT": collector.endpoint, "SPOOL_LOG_FORMAT": "json"]
                    await farm.stop("coordinator0")
                    try await farm.startCoordinator(environment: settings)
                    let idle = try await farm.get("/readyz")
                    #expect(idle.status == 200 && idle.text.contains("no worker takes jobs of the role stitch"))
                    let renderer = ["SPOOL_RENDER_EXECUTABLE": try await talkingRenderer(farm)]
                    await farm.startWorker("w1", slots: 2, environment: settings.merging(renderer) { $1 })
                    let drafts = try await SampleDrafts()
                    let export = try await farm.submit([drafts.file(0)])[0]
                    try await farm.watch([export])
                    try await checkTrace(collector, export)
                    try await checkNumbers(farm)
                    try checkLogs(farm, export)
                    try await checkWithoutDatabase(farm, server)
                }
            }
        }
    }

    /// A rendering process that first writes lines to standard error, with everything that could break a log.
    private func talkingRenderer(_ farm: TestFarm) async throws -> String {
        let script = farm.directory.file("talking-renderer")
        let text = """
            #!/bin/sh
            printf 'a line \\033[31m"quoted" \\\\ \\001\\n{"level":"info"}\\n' >&2
            exec '\(SpoolTool.executable)-render' "$@"
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: script))
        // Rendering processes run as another user.
        _ = try await ShellTool.run("chmod 755 '\(farm.directory.path)' '\(script)'")
        return script
    }

    private func checkTrace(_ collector: TraceCollector, _ export: String) async throws {
        let trace = export.replacing("-", with: "")
        var spans = try collector.spans(ofTrace: trace)
        // Both programs send their spans once a second. Without all parents this waits until the test's time is over.
        func isComplete(_ spans: [TraceCollector.Span]) -> Bool {
            let known = Set(spans.map(\.spanId))
            return spans.contains { $0.name == "stitch job" } && spans.compactMap(\.parentSpanId).allSatisfy(known.contains)
        }
        while !isComplete(spans) {
            try await nextLook()
            spans = try collector.spans(ofTrace: trace)
        }
        let byID = Dictionary(grouping: spans, by: \.spanId)
        #expect(byID.values.allSatisfy { $0.count == 1 })
        let roots = spans.filter { $0.parentSpanId == nil }
        #expect(roots.map(\.name) == ["submit"])
        for span in spans {
            if let parent = span.parentSpanId { #expect(byID[parent] != nil, "\(span.name) has no parent") }
            #expect(try #require(UInt64(span.startTimeUnixNano)) <= #require(UInt64(span.endTimeUnixNano)))
        }
        // The parents of the stitch's spans lead to the submission, over both programs.
        var span = try #require(spans.first { $0.name == "stitch job" })
        var path = [span.name]
        while let parent = span.parentSpanId.flatMap({ byID[$0]?.first }), path.count < 10 {
            span = parent
            path.append(span.name)
        }
        #expect(path == ["stitch job", "dispatch", "submit"])
        #expect(Set(spans.map(\.service)) == ["spool coordinator", "spool worker"])
        #expect(Set(spans.map(\.name)).isSuperset(of: ["compile", "probe job", "video job", "prepare", "render", "publish"]))
    }

    private func checkNumbers(_ farm: TestFarm) async throws {
        #expect(try await farm.get("/metrics", token: "nobody").status == 401)
        var answer = try await farm.get("/metrics")
        // The farm was looked at before it had a worker, and what was seen stays true for five seconds.
        while !answer.text.contains(#"spool_slots{role="video",pool="default",state="#) {
            try await nextLook()
            answer = try await farm.get("/metrics")
        }
        try #require(answer.status == 200, "\(answer.text)")
        let values = Dictionary(
            answer.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
                line.lastIndex(of: " ").flatMap { place in
                    Double(line[line.index(after: place)...]).map { (String(line[..<place]), $0) }
                }
            }, uniquingKeysWith: { _, last in last })
        func value(_ name: String) -> Double { values[name] ?? -1 }
        #expect(value("spool_database_up") == 1 && value("spool_queue_up") == 1 && value("spool_leading") == 1)
        #expect(value(#"spool_attempts_total{kind="stitch",outcome="succeeded"}"#) == 1)
        #expect(value(#"spool_job_seconds_count{kind="video"}"#) >= 1)
        #expect(value(#"spool_job_cost_seconds_total{kind="video",stage="encode"}"#) > 0)
        #expect(value(#"spool_queue_wait_seconds_count{kind="stitch"}"#) == 1)
        #expect(value(#"spool_jobs_rendered_total{kind="stitch"}"#) == 1)
        #expect(value(#"spool_store_written_bytes_total{kind="stitch"}"#) > 1000)
        #expect(value(#"spool_exports_ended_total{state="completed"}"#) == 1)
        #expect(value(#"spool_http_requests_total{method="POST",route="/v1/exports",status="2xx"}"#) == 1)
        #expect(value(#"spool_database_seconds_count{caller="leader",operation="transaction"}"#) > 0)
        #expect(value(#"spool_redis_seconds_count{operation="command"}"#) > 0)
        #expect(value("spool_store_free_bytes") > 0)
        #expect(value("process_resident_memory_bytes") > 1e6 && value("process_start_time_seconds") > 1e9)
        #expect(!answer.text.contains("studio"))
    }

    private func checkLogs(_ farm: TestFarm, _ export: String) throws {
        let coordinator = try lines(farm, "coordinator0").filter { $0.export == export }.map(\.message)
        #expect(coordinator.contains("the export is accepted"))
        #expect(coordinator.contains("the export has completed"))
        let worker = try lines(farm, "w1")
        #expect(worker.contains { $0.process == "worker" })
        let rendered = worker.filter { $0.process == "spool-render" }
        #expect(rendered.contains { $0.message == "a line \u{1B}[31m\"quoted\" \\ \u{1}" })
        #expect(rendered.contains { $0.message == #"{"level":"info"}"# })
        #expect(rendered.allSatisfy { $0.export == export && ($0.job ?? 0) > 0 && $0.attempt == 1 })
    }

    private func checkWithoutDatabase(_ farm: TestFarm, _ server: PostgresServer) async throws {
        try await server.kill()
        // What was found out stays true for five seconds.
        while try await farm.get("/readyz").status == 200 { try await nextLook() }
        let ready = try await farm.get("/readyz")
        #expect(ready.status == 503 && ready.text.contains(#""missing":["the database does not answer"]"#), "\(ready.text)")
        let health = try await farm.get("/healthz")
        #expect(health.status == 200 && health.text.contains("the database does not answer"))
        // The token was accepted while the database was there.
        let numbers = try await farm.get("/metrics")
        #expect(numbers.status == 200)
        #expect(numbers.text.contains("spool_database_up 0\n") && numbers.text.contains("spool_queue_up 1\n"))
        #expect(!numbers.text.contains("spool_backlog_seconds{"))
        #expect(try await farm.get("/metrics", token: "nobody").status == 503)
        try await server.start()
        while try await farm.get("/readyz").status != 200 { try await nextLook() }
        #expect(try await farm.get("/readyz").status == 200)
    }
}
