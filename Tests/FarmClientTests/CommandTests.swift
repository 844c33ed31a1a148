import Coordinator
import DraftModel
import FarmAPI
import FarmClient
import JobQueue
import Subprocess
import SystemPackage
import TestSupport
import Testing
import FoundationEssentials

@Suite("The command line")
struct CommandTests {
    private static func clip(_ url: String) -> String { #"{"version":1,"mainTrackClips":[{"type":"av","url":"\#(url)"}]}"# }

    /// Runs a command against a farm.
    private func spool(_ farm: LiveFarm, _ arguments: String...) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(arguments + ["--server", farm.address, "--token", LiveFarm.token])
    }

    @Test("Submitting a folder prints an id for each accepted draft, and the errors of the others")
    func folder() async throws {
        try await LiveFarm.serve { farm in
            _ = try farm.writeDraft(CommandTests.clip("clip.mp4"))
            try Data(CommandTests.clip("gone.mp4").replacing("{\"type\"", with: "{\"id\":\"intro\",\"type\"").utf8).write(
                to: URL(fileURLWithPath: farm.directory.file("a.json")))
            try Data("{".utf8).write(to: URL(fileURLWithPath: farm.directory.file("b.json")))
            let outcome = try await spool(farm, "submit", farm.directory.path, "--priority", "5", "--set", "videoQuality=20")
            #expect(outcome.status == 65)
            let exports = try await farm.client.exports().items
            #expect(exports.count == 1)
            #expect(exports.first?.label == "draft")
            #expect(exports.first?.priority == 5)
            #expect(outcome.output == "\(exports.first?.id.text ?? "")\n")
            #expect(outcome.errors.contains("a.json: mainTrackClips[0].url ('intro'): 'gone.mp4' is not a file"))
            #expect(outcome.errors.contains("b.json: this is not JSON"))
        }
    }

    @Test("Submitting standard input submits one draft per line")
    func lines() async throws {
        try await LiveFarm.serve { farm in
            _ = try farm.writeDraft("{}")
            let clip = CommandTests.clip(farm.directory.file("clip.mp4"))
            let text = "\(CommandTests.clip("/media/a.mp4x"))\n\n\(clip)\n"
            let result = try await Subprocess.run(
                .path(FilePath(SpoolTool.executable)),
                arguments: ["submit", "-", "--server", farm.address, "--token", LiveFarm.token], input: .string(text),
                output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
            #expect(result.terminationStatus == .exited(65))
            #expect(result.standardError.contains("line 1: mainTrackClips[0].url"))
            let ids = try await farm.client.exports().items.map(\.id.text)
            #expect(ids.count == 1)
            #expect(result.standardOutput == ids.joined() + "\n")
        }
    }

    @Test("The commands watch an export to its end, download it, list it, and say what they changed")
    func wholeWay() async throws {
        try await LiveFarm.serve { farm in
            let draft = try farm.writeDraft(CommandTests.clip("clip.mp4"))
            let id = try await spool(farm, "submit", draft).output.split(separator: "\n").map(String.init).first ?? ""
            let export = try #require(ExportID(id))
            try await farm.complete(export)
            let watched = try await spool(farm, "watch", id)
            #expect(watched.status == 0)
            #expect(watched.errors.contains("completed 'draft'"))
            let film = farm.directory.file("film.mp4")
            #expect(try await spool(farm, "download", id, "-o", film).output == "\(film): 300 kB\n")
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: film))) == LiveFarm.film)
            let listed = try await spool(farm, "status", "--json")
            #expect(try FarmJSON.decode([Export].self, from: Data(listed.output.utf8)).map(\.id) == [export])
            for listing in [
                ["queue", "ls"], ["queue", "stats"], ["job", "ls"], ["job", "show", "1"], ["job", "log", "1"], ["worker", "ls"],
                ["cost-model", "ls"], ["dead", "ls"], ["dead", "show", "1"], ["audit"], ["tenant", "ls"], ["token", "ls"],
                ["asset", "ls"], ["draft", "ls"], ["status"],
            ] {
                let outcome = try await SpoolTool.run(
                    listing + ["--server", farm.address, "--token", LiveFarm.token])
                #expect(outcome.status == 0, "\(listing): \(outcome.errors)")
                #expect(!outcome.output.isEmpty)
            }
            let audit = try await spool(farm, "audit")
            #expect(audit.output == AuditRule.ofFarm.map { "\($0.rawValue): ok\n" }.joined())
            try await farm.store.noteFaults([AuditFault(.attempts, subject: "7", detail: "is lost", foundAt: Date())])
            let faulty = try await spool(farm, "audit")
            #expect(faulty.status == 70 && faulty.output.contains("attempts: 1 faults\n  7 is lost ("))
            let json = try await spool(farm, "audit", "--json")
            #expect(json.status == 70)
            #expect(try FarmJSON.decode(AuditReport.self, from: Data(json.output.utf8)).faults.map(\.subject) == ["7"])
            #expect(try await spool(farm, "queue", "pause", "video").output == "queue 'video' is paused\n")
            #expect(try await spool(farm, "draft", "put", "d", draft).output == "draft 'd' is at revision 1\n")
            let again = try await spool(farm, "rerun", id)
            #expect(again.status == 0)
            #expect(UUID(uuidString: String(again.output.dropLast())) != nil, "an id, for a script to use")
            let cancelled = try await spool(farm, "cancel", id)
            #expect(cancelled.status == 65)
            #expect(cancelled.errors == "error: \(id): the export is over already: it is completed\n")
        }
    }

    @Test("A draft of the library is submitted by its name and revision, and its revisions are compared")
    func library() async throws {
        try await LiveFarm.serve { farm in
            func draft(_ duration: String, _ more: String) -> String {
                """
                {"version": 1, "videoSize": {"width": 64, "height": 64}, "mainTrackClips": [\(more)
                  {"type": "color", "color": "#ff0000ff", "duration": \(duration)}]}
                """
            }
            for (number, text) in [draft("1", ""), draft("2", #"{"type": "color", "id": "new", "duration": 1},"#)].enumerated() {
                let file = farm.directory.file("draft.json")
                try Data(text.utf8).write(to: URL(fileURLWithPath: file))
                let outcome = try await spool(farm, "draft", "put", "team", file)
                #expect(outcome.output == "draft 'team' is at revision \(number + 1)\n", "\(outcome.errors)")
            }
            let difference = try await spool(farm, "draft", "diff", "team")
            #expect(
                difference.output == """
                    + mainTrackClips[0]: {"duration":1,"id":"new","type":"color"}
                    ~ mainTrackClips[0].duration: 1 -> 2

                    """, "\(difference.errors)")
            let patch = try await spool(farm, "draft", "diff", "team", "--json")
            #expect(patch.output.contains(#""path" : "/mainTrackClips/0/duration""#), "\(patch.output)")
            #expect(try await spool(farm, "draft", "diff", "team", "--to", "1").status == 64)
            #expect(try await spool(farm, "draft", "diff", "nobody").status == 65)
            #expect(try await spool(farm, "draft", "diff", "team", "--from", "7").status != 0)

            let submitted = try await spool(farm, "submit", "--draft", "team@1", "--draft", "team@2", "--draft", "team@3")
            let ids = submitted.output.split(separator: "\n").compactMap { ExportID(String($0)) }
            #expect(ids.count == 2)
            #expect(submitted.status != 0 && submitted.errors.contains("draft team@3: "), "\(submitted.errors)")
            let exports = try await farm.client.exports().items
            #expect(Set(ids) == Set(exports.map(\.id)))
            #expect(try await spool(farm, "submit").status == 64)
        }
    }

    @Test("A watched export's last state stays on the terminal, at every width", arguments: [30, 40, 60, 70, 100])
    func lastState(_ columns: Int) async throws {
        try await LiveFarm.serve { farm in
            let export = try await farm.client.submit(
                ExportSubmission(document: LiveFarm.draft, options: .init(label: "a film")), key: "k")
            try await farm.complete(export.id)
            let outcome = try await PseudoTerminal.run(
                [
                    SpoolTool.executable, "watch", export.id.text, "--server", farm.address, "--token", LiveFarm.token,
                ], columns: columns)
            #expect(outcome.status == 0)
            #expect(outcome.screen.count == 1, "\(outcome.screen)")
            #expect(outcome.screen.first?.contains("100 %") == true && outcome.screen.first?.hasSuffix("completed") == true)
            #expect(outcome.screen.allSatisfy { $0.count < columns }, "\(outcome.screen)")
        }
    }

    @Test("Workers are asked to drain, and each that is not there is named")
    func drain() async throws {
        try await LiveFarm.serve { farm in
            let now = Date()
            let status = WorkerStatus(
                id: "w1", host: "h", version: "1", roles: [.video], pools: ["default"], slots: 2, startedAt: now, seenAt: now,
                isDraining: false, running: [])
            _ = try await farm.queue.heartbeat(status, lifetime: .seconds(60))
            let outcome = try await SpoolTool.run([
                "worker", "drain", "w1", "w2", "--server", farm.address, "--token", LiveFarm.token,
            ])
            #expect(outcome.output == "w1: drains, with 0 of 2 slots busy\n")
            #expect(outcome.errors.contains("no worker 'w2' has sent a heartbeat recently"))
            #expect(outcome.status != 0)
            #expect(try await farm.queue.heartbeat(status, lifetime: .seconds(60)).isToDrain)
        }
    }

    @Test("Escape sequences in labels and names of workers are shown and not obeyed")
    func escapes() async throws {
        try await LiveFarm.serve { farm in
            let evil = "\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}"
            let shown = #"\u001B[2J\u001B]0;owned\u0007\u009B31m\u202E"#
            let export = try await farm.client.submit(
                ExportSubmission(document: LiveFarm.draft, options: .init(label: evil)), key: "k")
            let now = Date()
            _ = try await farm.queue.heartbeat(
                WorkerStatus(
                    id: "w\(evil)", host: evil, version: evil, roles: [.video], pools: [evil], slots: 1, startedAt: now,
                    seenAt: now, isDraining: false, running: []), lifetime: .seconds(60))
            for words in [
                ["status"], ["status", export.id.text], ["worker", "ls"], ["status", "--json"], ["cancel", export.id.text],
                ["watch", export.id.text],
            ] {
                let outcome = try await SpoolTool.run(words + ["--server", farm.address, "--token", LiveFarm.token])
                let text = outcome.output + outcome.errors
                #expect(text.contains("owned"), "\(words): \(text)")
                let raw = text.unicodeScalars.filter {
                    $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
                }
                #expect(raw.isEmpty, "\(words): \(text)")
                if words.contains("--json") {
                    #expect(try FarmJSON.decode([Export].self, from: Data(outcome.output.utf8)).map(\.label) == [evil])
                } else {
                    #expect(text.contains(shown), "\(words): \(text)")
                }
            }
        }
    }

    @Test("An export's warnings are printed by status and watch, and with --strict give exit code 65")
    func warnings() async throws {
        try await LiveFarm.serve { farm in
            let export = try await farm.client.submit(
                ExportSubmission(document: LiveFarm.draft, options: .init(label: "a film")), key: "k")
            let warning = DraftDiagnostic(
                path: "mainTrackClips[0].url", code: .damagedSource, severity: .warning, message: "'a.mp4' is damaged",
                remedy: "replace it")
            try await farm.complete(export.id, warnings: [warning])
            let line = "warning: \(export.id) 'a film': mainTrackClips[0].url: 'a.mp4' is damaged; replace it\n"
            let status = try await spool(farm, "status", export.id.text)
            #expect(status.status == 0 && status.errors == line, "\(status.errors)")
            let watched = try await spool(farm, "watch", export.id.text)
            #expect(watched.status == 0 && watched.errors.hasSuffix(line), "\(watched.errors)")
            let strict = try await spool(farm, "watch", export.id.text, "--strict")
            #expect(strict.status == 65)
            #expect(strict.errors.hasSuffix(line + "error: --strict takes warnings for errors\n"), "\(strict.errors)")
            let listed = try await spool(farm, "watch", export.id.text, "--json")
            #expect(try FarmJSON.decode([Export].self, from: Data(listed.output.utf8)).first?.warnings == [warning])
        }
    }

    @Test("A negative priority is accepted as a value")
    func negativePriority() async throws {
        try await LiveFarm.serve { farm in
            let draft = try farm.writeDraft(CommandTests.clip("clip.mp4"))
            let outcome = try await spool(farm, "submit", draft, "--priority", "-5")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try await farm.client.exports().items.map(\.priority) == [-5])
        }
    }

    @Test("A tenant's share and cap are set when it is created, and changed each by itself")
    func tenants() async throws {
        try await LiveFarm.serve { farm in
            let made = try await spool(farm, "tenant", "create", "two", "--weight", "2", "--priority-cap", "10")
            #expect(made.output == "tenant 'two' is there, with the share 2 and the cap 10\n", "\(made.errors)")
            let capped = try await spool(farm, "tenant", "set", "two", "--priority-cap", "-5")
            #expect(capped.output == "tenant 'two' has the share 2 and the cap -5\n", "\(capped.errors)")
            let heavier = try await spool(farm, "tenant", "set", "two", "--share", "3")
            #expect(heavier.output == "tenant 'two' has the share 3 and the cap -5\n", "\(heavier.errors)")
            #expect(try await farm.client.tenants().items.map(\.priorityCap) == [99, -5])
            let nothing = try await spool(farm, "tenant", "set", "two")
            #expect(nothing.status == 64)
            #expect(
                nothing.errors.contains(
                    "give --share, --priority-cap, --source-addresses, --max-open-exports, --max-open-jobs or --max-assets"),
                "\(nothing.errors)")
            let limited = try await spool(farm, "tenant", "set", "two", "--max-open-exports", "5", "--max-assets", "3GB")
            #expect(limited.output.hasSuffix(", and may have 5 open exports, and may have 3.0 GB of assets\n"), "\(limited)")
            let open = try await spool(farm, "tenant", "set", "two", "--max-open-exports", "0", "--max-assets", "never")
            #expect(open.output == "tenant 'two' has the share 3 and the cap -5\n", "\(open)")
            let narrow = try await spool(farm, "tenant", "set", "two", "--source-addresses", "https://*.example.com/,s3://in/a/")
            #expect(narrow.output.hasSuffix("fetches sources from https://*.example.com/, s3://in/a/\n"), "\(narrow)")
            let faulty = try await spool(farm, "tenant", "set", "two", "--source-addresses", "example.com")
            #expect(faulty.status == 65 && faulty.errors.contains("is no pattern of addresses"), "\(faulty)")
            let wide = try await spool(farm, "tenant", "set", "two", "--source-addresses", "*")
            #expect(wide.output == "tenant 'two' has the share 3 and the cap -5\n", "\(wide.errors)")
            let nobody = try await spool(farm, "tenant", "set", "nobody", "--share", "1")
            #expect(nobody.status == 65)
            #expect(nobody.errors == "error: there is no tenant 'nobody'\n")
        }
    }

    @Test("An asset that was uploaded can be downloaded; for an unknown one no file is left")
    func assets() async throws {
        try await LiveFarm.serve { farm in
            let source = farm.directory.file("source.bin")
            let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
            try bytes.write(to: URL(fileURLWithPath: source))
            let put = try await spool(farm, "asset", "put", source)
            let asset = put.output.prefix { $0 != " " }
            let output = farm.directory.file("back.bin")
            #expect(try await spool(farm, "asset", "get", String(asset), "-o", output).output == "\(output): 100 kB\n")
            #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == bytes)
            let gone = "asset:" + String(repeating: "0", count: 64)
            let missing = try await spool(farm, "asset", "get", gone, "-o", farm.directory.file("gone"))
            #expect(missing.status == 65 && missing.errors.contains("the farm has no asset '0000"), "\(missing.errors)")
            #expect(!FileManager.default.fileExists(atPath: farm.directory.file("gone")))
            let hash = asset.dropFirst("asset:".count)
            let kept = farm.directory.file("assets/1/\(hash.prefix(2))/\(hash)")
            try #require(FileManager.default.fileExists(atPath: kept))
            try Data(bytes.reversed()).write(to: URL(fileURLWithPath: kept))
            let damaged = try await spool(farm, "asset", "get", String(asset), "-o", farm.directory.file("damaged"))
            #expect(damaged.errors.contains("arrived damaged") && damaged.status == 65, "\(damaged.errors)")
            #expect(
                damaged.errors.contains(": the farm's storage or the connection changes bytes"), "\(damaged.errors)")
            #expect(!FileManager.default.fileExists(atPath: farm.directory.file("damaged")))
            let nameless = try await spool(farm, "asset", "get", "back.bin", "-o", output)
            #expect(nameless.status == 65 && nameless.errors.contains("an asset is named by its sha256"), "\(nameless.errors)")
        }
    }

    @Test("A farm command whose result cannot be written ends with exit code 75")
    func fullOutput() async throws {
        try await LiveFarm.serve { farm in
            let draft = try farm.writeDraft(CommandTests.clip("clip.mp4"))
            let export = try await farm.client.submit(ExportSubmission(document: LiveFarm.draft, options: .init()), key: "k")
            try await farm.complete(export.id)
            let film = farm.directory.file("film.mp4")
            for words in [
                "submit '\(draft)'", "submit '\(draft)' --json", "status", "status --json", "watch \(export.id) --json", "job ls",
                "job ls --json", "job show 1", "job log 1", "queue ls", "queue stats", "queue pause video", "worker ls",
                "worker ls --csv", "queue peek", "queue drain audio",
                "tenant ls", "tenant set one --share 1",
                "token ls", "token create one t", "asset ls", "asset put '\(draft)'", "draft put d '\(draft)'", "draft get d",
                "draft ls", "draft history d", "status --csv",
                "rerun \(export.id)", "download \(export.id) -o '\(film)'", "download \(export.id) -o '\(film)' --json",
                "record new --farm",
            ] {
                let outcome = try await ShellTool.run(
                    "SPOOL_SERVER=\(farm.address) SPOOL_TOKEN=\(LiveFarm.token) '\(SpoolTool.executable)' \(words) > /dev/full")
                #expect(outcome.status == 75, "\(words): \(outcome.errors)")
                #expect(
                    outcome.errors.contains("error: standard output cannot be written: No space left"),
                    "\(words): \(outcome.errors)")
            }
        }
    }

    @Test("A download onto a full disk ends with 75 and leaves nothing; the next removes what a killed one left")
    func fullDisk() async throws {
        try await LiveFarm.serve { farm in
            let export = try await farm.client.submit(ExportSubmission(document: LiveFarm.draft, options: .init()), key: "k")
            try await farm.complete(export.id)
            let storage = try await FaultyStorage(in: farm.directory.path)
            let film = farm.directory.file("film.mp4")
            let faults = storage.environment(.full, on: .write, ofFiles: "\(farm.directory.path)|.film.mp4.", from: 100_000)
            let environment = faults.sorted { $0.key < $1.key }.map { "\($0)='\($1)'" }.joined(separator: " ")
            let words = "download \(export.id) -o '\(film)' --server \(farm.address) --token \(LiveFarm.token)"
            let full = try await ShellTool.run("\(environment) '\(SpoolTool.executable)' \(words)")
            #expect(full.status == 75)
            #expect(full.errors == "error: '\(film)' cannot be written: No space left on device\n")
            let partial = farm.directory.file(".film.mp4.\(Int32.max).partial")
            try Data("half a film".utf8).write(to: URL(fileURLWithPath: partial))
            let again = try await ShellTool.run("'\(SpoolTool.executable)' \(words)")
            #expect(again.status == 0, "\(again.errors)")
            let left = try FileManager.default.contentsOfDirectory(atPath: farm.directory.path)
            #expect(left.filter { $0.contains("film.mp4") } == ["film.mp4"])
        }
    }

    @Test("An https:// address of a farm without TLS is reported with the address to use")
    func tls() async throws {
        try await LiveFarm.serve { farm in
            let address = farm.address.replacing("http://", with: "https://")
            let outcome = try await SpoolTool.run(["queue", "ls", "--server", address, "--token", LiveFarm.token])
            #expect(outcome.status == 69)
            #expect(
                outcome.errors
                    == "error: cannot reach the farm at \(address): the server there does not use TLS; give the address with http://, as \(farm.address)\n"
            )
        }
    }

    @Test(
        "A farm command without libcurl names the package to install and ends with exit code 69",
        arguments: [["queue", "ls"], ["status"], ["watch", ExportID().text]])
    func missingLibrary(_ command: [String]) async throws {
        let folder = try TemporaryDirectory()
        // The dynamic loader finds this file before the library of the system, and cannot load it.
        try Data().write(to: URL(fileURLWithPath: folder.file("libcurl.so.4")))
        let outcome = try await Subprocess.run(
            .path(FilePath(SpoolTool.executable)),
            arguments: Arguments(command + ["--server", "http://127.0.0.1:1", "--token", "t"]),
            environment: .inherit.updating(["LD_LIBRARY_PATH": folder.path]), input: .none, output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        #expect(outcome.terminationStatus == .exited(69))
        #expect(outcome.standardOutput.isEmpty)
        #expect(
            outcome.standardError.hasPrefix("error: libcurl cannot be loaded; install Debian's package libcurl4 ("),
            "\(outcome.standardError)")
        #expect(outcome.standardError.hasSuffix("file too short)\n"), "\(outcome.standardError)")
    }

    @Test("A failed export gives the exit code of its cause")
    func exitCodes() async throws {
        try await LiveFarm.serve { farm in
            let draft = try farm.writeDraft(CommandTests.clip("clip.mp4"))
            let export = try await farm.client.submit(ExportSubmission(document: LiveFarm.draft, options: .init()), key: "k")
            _ = try await farm.client.cancel(export.id)
            #expect(try await spool(farm, "watch", export.id.text).status == 75)
            #expect(try await spool(farm, "watch", "nonsense").status == 64)
            #expect(try await spool(farm, "submit", draft, "--priority", "900").status == 64)
            #expect(try await spool(farm, "job", "show", "7").status == 65)
            let wrong = try await SpoolTool.run(["queue", "ls", "--server", farm.address, "--token", "guess"])
            #expect(wrong.status == 65)
            #expect(wrong.errors == "error: this token is unknown, has expired or has been revoked\n")
        }
        let away = try await SpoolTool.run(["queue", "ls", "--server", "http://127.0.0.1:1", "--token", "t"])
        #expect(away.status == 69)
        #expect(
            away.errors
                == "error: cannot reach the farm at http://127.0.0.1:1: connection refused; start the coordinator there, or correct the address\n"
        )
    }
}
