import FarmAPI
import ContentHashing
import Coordinator
import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

/// A worker whose storage fails in one system call after another, followed by a healthy one. Either the film has the
/// bytes of a local export, or an attempt failed with the right failure class and the next export has these bytes.
@Suite(.serialized) struct FarmFaultTests {
    private struct Case: Sendable {
        var place: String
        var part: String
        var call: FaultyStorage.Call
        var fault: FaultyStorage.Fault
    }

    private static var cases: [Case] {
        let places: [(String, String, [FaultyStorage.Call])] = [
            ("source", "/store/assets/", [.open, .read]), ("segment and film", "/store/tenants/1/tmp/", [.open, .write]),
            ("stored segment", "/store/tenants/1/|/", [.read]),
        ]
        return places.flatMap { place, part, calls in
            calls.flatMap { call in
                FaultyStorage.Fault.allCases.filter { $0 != .short || call == .read }
                    .map { Case(place: place, part: part, call: call, fault: $0) }
            }
        }
    }

    @Test(
        "A fault in a worker's storage never gives a wrong film, and a healthy worker makes the right one",
        .slow, .timeLimit(.minutes(15)))
    func table() async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=2", "-f", "lavfi", "-i", "sine=duration=2", "-c:v",
            "libx264",
            "-preset", "ultrafast", "-g", "10", "-c:a", "pcm_s16le", directory.file("source.mov"),
        ])
        let draft = directory.file("draft.json")
        try Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "source.mov"}]}"#.utf8)
            .write(to: URL(fileURLWithPath: draft))
        try await TestFarm.with(workers: 0) { farm in
            // Rendering processes run as another user, who must be able to load the fault injector.
            _ = try await ShellTool.run("chmod 755 '\(farm.directory.path)'")
            let storage = try await FaultyStorage(in: farm.directory.path)
            var failed = 0
            for (number, item) in Self.cases.enumerated() {
                let settings = ["--set", "encoderSpeed=ultrafast", "--set", "videoQuality=\(18 + number)"]
                let local = directory.file("local.mp4")
                let outcome = try await SpoolTool.run(
                    ["export", draft, "-o", local, "--cache", directory.file("cache")] + settings)
                try #require(outcome.status == 0, "\(outcome.errors)")
                let expected = try ContentHash.ofFile(local).hash
                let environment = storage.environment(
                    item.fault, on: item.call, ofFiles: item.part, from: item.call == .open ? 0 : 3000)
                let id = try await farm.submit([draft], settings)[0]
                await farm.startWorker("faulty\(number)", environment: environment)
                try await farm.eventually {
                    let export = try await farm.export(id)
                    let failures = try await farm.attemptFailures(of: export)
                    return export.state.isTerminal || !failures.isEmpty
                }
                await farm.stop("faulty\(number)")
                await farm.startWorker("healthy\(number)")
                try await farm.eventually { try await farm.export(id).state.isTerminal }
                let export = try await farm.export(id)
                let failures = try await farm.attemptFailures(of: export)
                failed += failures.isEmpty ? 0 : 1
                let classes = Set(failures.map(\.failureClass))
                let line = "\(item.place), \(item.call.rawValue), \(item.fault.rawValue): \(export.state.rawValue)"
                print(line + ", attempts failed as \(classes.map(\.rawValue).sorted()): \(failures.first?.description ?? "none")")
                #expect(classes.isSubset(of: [.storage, .resource, .transient]), "\(line): \(failures)")
                var film = id
                if export.state == .failed {
                    #expect(export.failure?.failureClass == .resource, "\(line): \(export.failure?.message ?? "")")
                    film = try #require(try await farm.spool(["rerun", id]).output.split(separator: "\n").first.map(String.init))
                    try await farm.watch([film])
                }
                #expect(try await farm.film(film) == expected, "\(line): another film")
                await farm.stop("healthy\(number)")
            }
            #expect(failed > Self.cases.count / 2, "the faults were not met: the test shows nothing")
        }
    }
}

/// Storage that returns all data, but slowly.
@Suite(.serialized) struct FarmSlownessTests {
    @Test(
        "A probe that reads too slowly is a storage failure, and a faster worker completes the export",
        .timeLimit(.minutes(5)))
    func slowSource() async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=4,noise=alls=40:allf=t", "-c:v", "libx264", "-preset",
            "ultrafast", "-qp", "10", directory.file("source.mov"),
        ])
        let draft = directory.file("draft.json")
        try Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "source.mov"}]}"#.utf8)
            .write(to: URL(fileURLWithPath: draft))
        let film = directory.file("local.mp4")
        let outcome = try await SpoolTool.run(["export", draft, "-o", film, "--cache", directory.file("cache")])
        try #require(outcome.status == 0, "\(outcome.errors)")
        try await TestFarm.with(workers: 0) { farm in
            // Rendering processes run as another user, who must be able to load and run these files.
            _ = try await ShellTool.run("chmod 755 '\(farm.directory.path)'")
            let storage = try await FaultyStorage(in: farm.directory.path)
            // The worker itself reads at full speed, because only its rendering processes are slowed down.
            let slow = storage.environment(slowingReadsOf: "/store/assets/", milliseconds: 200)
                .map { "\($0)='\($1)'" }.joined(separator: " ")
            let renderer = farm.directory.file("slow-renderer")
            let script = "#!/bin/sh\n\(slow) exec '\(SpoolTool.executable)-render' \"$@\" --probe-seconds 1\n"
            guard
                FileManager.default.createFile(
                    atPath: renderer, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
            else { throw CocoaError(.fileWriteUnknown) }
            await farm.startWorker("slow", environment: ["SPOOL_RENDER_EXECUTABLE": renderer])
            let id = try await farm.submit([draft])[0]
            try await farm.eventually { try await !farm.attemptFailures(of: try await farm.export(id)).isEmpty }
            await farm.stop("slow")
            let failures = try await farm.attemptFailures(of: try await farm.export(id))
            #expect(Set(failures.map(\.failureClass)) == [.storage], "\(failures)")
            #expect(failures.allSatisfy { $0.message.contains("is read too slowly") }, "\(failures)")
            #expect(try await !farm.export(id).state.isTerminal)
            await farm.startWorker("fast")
            try await farm.watch([id])
            #expect(try await farm.film(id) == ContentHash.ofFile(film).hash)
        }
    }
}

extension TestFarm {
    /// The failures of the attempts of an export's jobs so far.
    nonisolated func attemptFailures(of export: Export) async throws -> [JobFailure] {
        var failures: [JobFailure] = []
        for job in try await store.jobs(.init(export: export.id, limit: 1000)) {
            failures += try await store.job(job.id, tenant: nil)?.attempts.compactMap(\.failure) ?? []
        }
        return failures
    }
}
