import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// Storage that fails during a local export: the film has the right bytes or there is none, and no wrong artifact is
/// stored.
@Suite("Storage that fails during a local export")
struct FaultyStorageTests {
    /// The files that are affected.
    enum Place: String, CaseIterable {
        case source, segment, film, factsCache = "facts cache", localCache = "local cache"

        /// A text that the paths of these files contain, without the directory.
        var part: String {
            switch self {
            case .source: "source.mp4"
            case .segment: "/cache/tmp/"
            case .film: "film.mp4."
            case .factsCache: "/cache/facts/"
            case .localCache: "/cache/"
            }
        }

        /// The system calls on these files that an export makes.
        var calls: [FaultyStorage.Call] { self == .source ? [.open, .read] : [.open, .read, .write] }
    }

    private struct Bench {
        let directory: TemporaryDirectory
        let reference: Data

        init() async throws {
            directory = try TemporaryDirectory()
            _ = try SourceClips.numbered("source.mp4", in: directory, rate: FrameRate(25), frames: 50, keyframeInterval: 25)
            let draft = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "source.mp4"}]}"#
            try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
            let outcome = try await Bench.export(directory, [:])
            try #require(outcome.status == 0, "\(outcome.errors)")
            reference = try Data(contentsOf: URL(fileURLWithPath: directory.file("film.mp4")))
        }

        func export(_ environment: [String: String]) async throws -> SpoolTool.Outcome {
            try await Bench.export(directory, environment)
        }

        private static func export(_ directory: TemporaryDirectory, _ environment: [String: String]) async throws
            -> SpoolTool.Outcome
        {
            let assignments = environment.sorted { $0.key < $1.key }.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
            return try await ShellTool.run(
                "exec env \(assignments) '\(SpoolTool.executable)' export '\(directory.file("draft.json"))' -o "
                    + "'\(directory.file("film.mp4"))' --cache '\(directory.file("cache"))' --set encoderSpeed=ultrafast --jobs 1"
            )
        }

        var film: Data? { try? Data(contentsOf: URL(fileURLWithPath: directory.file("film.mp4"))) }  // nil: there is none

        func removeFilm() throws {
            if film != nil { try FileManager.default.removeItem(atPath: directory.file("film.mp4")) }
        }

        /// Removes all artifacts but keeps the source facts, so that everything is rendered again. Without this call
        /// everything is read from the cache.
        func removeArtifacts() throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.file("cache")) where name != "facts" {
                try FileManager.default.removeItem(atPath: directory.file("cache/\(name)"))
            }
        }
    }

    @Test("A fault gives the right film or a failed export, and the next healthy export has the right bytes")
    func table() async throws {
        let bench = try await Bench()
        let storage = try await FaultyStorage(in: bench.directory.path)
        var lines: [String] = []
        for place in Place.allCases {
            for fault in FaultyStorage.Fault.allCases {
                for call in place.calls where call == .read || fault != .short {
                    // The local cache is read only when it contains artifacts.
                    if place != .localCache || call == .write { try bench.removeArtifacts() }
                    try bench.removeFilm()
                    let environment = storage.environment(
                        fault, on: call, ofFiles: "\(bench.directory.path)|\(place.part)", from: call == .open ? 0 : 3000)
                    let outcome = try await bench.export(environment)
                    let film = bench.film
                    let said = outcome.errors.split(separator: "\n").last { $0.contains("error:") }.map(String.init) ?? ""
                    lines.append(
                        "\(place.rawValue), \(call.rawValue), \(fault.rawValue): "
                            + "\(outcome.status.map(String.init) ?? "signal") \(film == nil ? "no film" : "film") \(said)")
                    if outcome.status == 0 {
                        #expect(film == bench.reference, "another film: \(lines.last ?? "")")
                    } else {
                        #expect([73, 75].contains(outcome.status), "another class: \(lines.last ?? "")")
                        #expect(film == nil, "a film in spite of a failure: \(lines.last ?? "")")
                        let after = try await bench.export([:])
                        #expect(after.status == 0, "\(after.errors)")
                        #expect(bench.film == bench.reference, "something wrong was kept: \(lines.last ?? "")")
                    }
                }
            }
        }
        print(lines.joined(separator: "\n"))
    }

    @Test("A source that fails to read after its middle does not count as shorter: the export ends with 75")
    func sourceBreaksOff() async throws {
        let bench = try await Bench()
        let storage = try await FaultyStorage(in: bench.directory.path)
        let half = try Data(contentsOf: URL(fileURLWithPath: bench.directory.file("source.mp4"))).count / 2
        for fault in [FaultyStorage.Fault.inputOutput, .short, .noMemory] {
            try bench.removeArtifacts()
            try bench.removeFilm()
            let outcome = try await bench.export(storage.environment(fault, on: .read, ofFiles: "source.mp4", from: half))
            #expect(outcome.status == 75)
            #expect(outcome.errors.contains("source.mp4"))
            #expect(bench.film == nil)
        }
    }
}
