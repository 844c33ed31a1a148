import ContentHashing
import Coordinator
import ExportPlan
import FarmAPI
import TestSupport
import Testing
import FoundationEssentials

/// Storage that never answers, as a network file system whose server is gone: a read neither returns nor fails.
@Suite(.serialized) struct FarmSilenceTests {
    /// The process that waits for the storage.
    enum Reader: CaseIterable, Sendable { case renderingProcess, worker }

    @Test(
        "A probe whose read is never answered is a storage failure: its slot is free again, and another worker completes the export",
        .slow, .timeLimit(.minutes(10)), arguments: Reader.allCases)
    func source(_ reader: Reader) async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=1", "-c:v", "libx264", "-preset", "ultrafast",
            directory.file("source.mov"),
        ])
        func draft(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file(name)))
            return directory.file(name)
        }
        let reading = try draft("reading.json", #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "source.mov"}]}"#)
        let layer = ##"{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#204060"}}"##
        let drawn = try draft(
            "drawn.json", #"{"version": 1, "videoSize": {"width": 160, "height": 90}, "layers": [\#(layer)]}"#)
        let film = directory.file("local.mp4")
        let outcome = try await SpoolTool.run(["export", reading, "-o", film, "--cache", directory.file("cache")])
        try #require(outcome.status == 0, "\(outcome.errors)")
        try await TestFarm.with(workers: 0) { farm in
            // Rendering processes run as another user, who must be able to load and run these files.
            _ = try await ShellTool.run("chmod 755 '\(farm.directory.path)'")
            let storage = try await FaultyStorage(in: farm.directory.path)
            let stalled = storage.environment(stallingReadsOf: "/store/assets/")
            switch reader {
            case .worker: await farm.startWorker("stalled", environment: stalled)
            case .renderingProcess:
                let renderer = farm.directory.file("stalled-renderer")
                let assignments = stalled.map { "\($0)='\($1)'" }.joined(separator: " ")
                let script = "#!/bin/sh\n\(assignments) exec '\(SpoolTool.executable)-render' \"$@\" --read-seconds 2\n"
                guard
                    FileManager.default.createFile(
                        atPath: renderer, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
                else { throw CocoaError(.fileWriteUnknown) }
                await farm.startWorker("stalled", environment: ["SPOOL_RENDER_EXECUTABLE": renderer])
            }
            let id = try await farm.submit([reading])[0]
            try await farm.eventually { try await !farm.attemptFailures(of: try await farm.export(id)).isEmpty }
            // The worker's only slot renders what needs none of the files that are not answered.
            let other = try await farm.submit([drawn], ["--priority", "100"])
            try await farm.watch(other)
            let failures = try await farm.attemptFailures(of: try await farm.export(id))
            #expect(Set(failures.map(\.failureClass)) == [.storage], "\(failures)")
            #expect(failures.allSatisfy { $0.message.contains("has not answered a read for") }, "\(failures)")
            #expect(try await !farm.export(id).state.isTerminal)
            await farm.stop("stalled")
            await farm.startWorker("healthy")
            try await farm.watch([id])
            #expect(try await farm.film(id) == ContentHash.ofFile(film).hash)
        }
    }

    @Test("A worker whose store never answers takes no jobs, says why, and ends when it drains", .timeLimit(.minutes(5)))
    func store() async throws {
        try await TestFarm.with(workers: 0) { farm in
            let storage = try await FaultyStorage(in: farm.directory.path)
            await farm.startWorker("stalled", environment: storage.environment(stallingReadsOf: "/store/.spool-store"))
            while try await !farm.spool(["worker", "ls"]).output.contains("has not answered a read for") {
                try Task.checkCancellation()
            }
            #expect(try await farm.drain("stalled") == 0)
        }
    }
}
