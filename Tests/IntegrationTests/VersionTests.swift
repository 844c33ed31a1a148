import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

/// `spool --version` says what the programs are and what they are linked with.
@Suite struct VersionTests {
    @Test("--version prints the version, the commit, the renderer's version and each library with its version")
    func report() async throws {
        let outcome = try await SpoolTool.run(["--version"])
        #expect(outcome.status == 0 && outcome.errors == "")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        try #require(lines.count > 3)
        #expect(lines[0].wholeMatch(of: /spool \d+\.\d+\.\d+/) != nil)
        #expect(lines[1] == "unknown commit" || lines[1].wholeMatch(of: /commit [0-9a-f]{7,40}(-dirty)?/) != nil)
        #expect(lines[2] == "renderer \(rendererVersion)")
        let libraries = Dictionary(lines.dropFirst(3).map { ($0.prefix { $0 != " " }, $0.drop { $0 != " " }) }) { first, _ in
            first
        }
        for name in [
            "libpq", "hiredis", "libcurl", "libyaml", "libavcodec", "libwebp", "libheif", "librubberband", "libebur128", "pango",
            "librsvg", "libass",
        ] {
            #expect(libraries[name[...]]?.wholeMatch(of: #/ \d+\.\d+(\.\d+)?/#) != nil, "\(name): \(outcome.output)")
        }
    }

    @Test("Every library that is named is the one that the programs load")
    func loadedLibraries() async throws {
        let outcome = try await SpoolTool.run(["--version"])
        let folder = URL(fileURLWithPath: SpoolTool.executable).deletingLastPathComponent().path
        // libpq and libcurl are loaded while the program runs, which the dynamic linker reports on request.
        let loaded = try await ShellTool.run(
            "ldd '\(folder)/spool' '\(folder)/spool-render'; LD_DEBUG=libs '\(folder)/spool' --version 2>&1"
        ).output
        for line in outcome.output.split(separator: "\n").dropFirst(3) {
            let name = line.prefix { $0 != " " }
            // The file of libyaml is libyaml-0.so.2.
            let files = name.hasPrefix("lib") ? ["\(name).", "\(name)-"] : ["lib\(name)"]
            #expect(files.contains { loaded.contains($0) }, "\(name)")
        }
    }

    @Test("Without its renderer spool prints its own version all the same, and says what is missing")
    func withoutRenderer() async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await ShellTool.run(
            "cp '\(SpoolTool.executable)' '\(directory.file("spool"))' && '\(directory.file("spool"))' --version")
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("spool ") == true)
        #expect(lines.last?.hasPrefix("media libraries unknown: '\(directory.path)/spool-render' is missing") == true)
    }
}
