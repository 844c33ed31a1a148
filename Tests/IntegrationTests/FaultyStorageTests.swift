import ExactTime
import TestSupport
import Testing
import FoundationEssentials
import Glibc

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

    /// A file of the cache. A file that was removed and made again has another modification time, and may have its old inode.
    private struct StoredFile: Equatable {
        var inode: UInt64
        /// When the bytes were written. A lookup changes the other times, because it notes the use of the file.
        var writtenSeconds: Int
        var writtenNanoseconds: Int
        var bytes: Data

        init(_ path: String) throws {
            var status = stat()
            guard lstat(path, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
            inode = UInt64(status.st_ino)
            (writtenSeconds, writtenNanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        }
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

        /// - Parameter options: further words of the command.
        func export(_ environment: [String: String], _ options: String = "") async throws -> SpoolTool.Outcome {
            try await Bench.export(directory, environment, options)
        }

        private static func export(
            _ directory: TemporaryDirectory, _ environment: [String: String], _ options: String = ""
        ) async throws -> SpoolTool.Outcome {
            let assignments = environment.sorted { $0.key < $1.key }.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
            return try await ShellTool.run(
                "exec env \(assignments) '\(SpoolTool.executable)' export '\(directory.file("draft.json"))' -o "
                    + "'\(directory.file("film.mp4"))' --cache '\(directory.file("cache"))' --set encoderSpeed=ultrafast --jobs 1 \(options)"
            )
        }

        var film: Data? { try? Data(contentsOf: URL(fileURLWithPath: directory.file("film.mp4"))) }  // nil: there is none

        /// The artifacts and the checksums in the cache, by name.
        func artifacts() throws -> [String: StoredFile] {
            var files: [String: StoredFile] = [:]
            for folder in try FileManager.default.contentsOfDirectory(atPath: directory.file("cache")) where folder.count == 2 {
                for name in try FileManager.default.contentsOfDirectory(atPath: directory.file("cache/\(folder)")) {
                    files[name] = try StoredFile(directory.file("cache/\(folder)/\(name)"))
                }
            }
            return files
        }

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
                        #expect(!said.contains("Success"), "the error does not say why: \(lines.last ?? "")")
                        let after = try await bench.export([:])
                        #expect(after.status == 0, "\(after.errors)")
                        #expect(bench.film == bench.reference, "something wrong was kept: \(lines.last ?? "")")
                    }
                }
            }
        }
        print(lines.joined(separator: "\n"))
    }

    @Test("An artifact or a checksum that cannot be read is kept, and the export ends with 75", arguments: ["", ".sum"])
    func unreadableArtifact(_ suffix: String) async throws {
        let bench = try await Bench()
        let storage = try await FaultyStorage(in: bench.directory.path)
        var before = try bench.artifacts()
        let codec = Data("avc1".utf8)
        let segment = try #require(before.first { $0.value.bytes.firstRange(of: codec) != nil }).key
        let faults: [(FaultyStorage.Call, [FaultyStorage.Fault])] = [
            (.open, [.inputOutput, .noMemory, .denied, .tooManyFiles]), (.read, [.inputOutput, .short, .noMemory]),
        ]
        for (call, kinds) in faults {
            for fault in kinds {
                try bench.removeFilm()
                let outcome = try await bench.export(
                    storage.environment(fault, on: call, ofFiles: "/cache/|\(segment)\(suffix)$"))
                let line = "\(call.rawValue), \(fault.rawValue): \(outcome.errors)"
                #expect(outcome.status == 75, "\(line)")
                #expect(outcome.errors.contains("\(segment)\(suffix)' cannot be read"), "\(line)")
                #expect(bench.film == nil, "a film in spite of a failure: \(line)")
                let after = try bench.artifacts()
                #expect(after == before, "an artifact was removed or replaced: \(line)")
                guard after != before else { continue }
                // Restores the artifacts, so that each fault is judged by itself.
                _ = try await bench.export([:])
                before = try bench.artifacts()
            }
        }
        #expect(try await bench.export([:]).status == 0)
        #expect(bench.film == bench.reference)
        #expect(try bench.artifacts() == before, "all artifacts are reused")
    }

    @Test("A film that cannot be read back while its index moves to its beginning is not kept, and the disk is named")
    func unreadableFilm() async throws {
        let bench = try await Bench()
        let storage = try await FaultyStorage(in: bench.directory.path)
        try bench.removeFilm()
        // The file's beginning can be read, with the index that is there in the end.
        let outcome = try await bench.export(
            storage.environment(.short, on: .read, ofFiles: "\(bench.directory.path)|film.mp4.", from: 3000),
            "--set optimizeForNetworkUse=true")
        #expect(outcome.status == 75)
        #expect(
            outcome.errors.contains("could not be written completely; check the disk that it is on, and try again"),
            "\(outcome.errors)")
        #expect(bench.film == nil)
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
