import Coordinator
import ExportPlan
import FarmAPI
import FarmClient
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

@Suite("Batches on the command line")
struct BatchCommandTests {
    private static let template = #"""
        {"version": 1, "mainTrackClips": [{"type": "av", "url": "clips/{{clip}}.mp4", "speed": "{{speed}}"},
          {"type": "av", "url": "clip.mp4", "when": "{{lang}} == 'de'"}]}
        """#

    /// Writes the template, two clips beside it, and a file of rows.
    private static func write(_ farm: LiveFarm, _ rows: String, name: String = "rows.csv") throws -> (draft: String, rows: String)
    {
        let draft = try farm.writeDraft(template)
        try FileManager.default.createDirectory(atPath: farm.directory.file("clips"), withIntermediateDirectories: true)
        for clip in ["a", "b"] {
            try Data(clip.utf8).write(to: URL(fileURLWithPath: farm.directory.file("clips/\(clip).mp4")))
        }
        let path = farm.directory.file(name)
        try Data(rows.utf8).write(to: URL(fileURLWithPath: path))
        return (draft, path)
    }

    private func spool(_ farm: LiveFarm, _ arguments: String...) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(["batch"] + arguments + ["--server", farm.address, "--token", LiveFarm.token])
    }

    /// Submits the rows that wait, as the leader does.
    private static func release(_ farm: LiveFarm) async throws {
        while try await farm.store.releaseRows(at: Date() + 1) > 0 {}
    }

    @Test("A batch is submitted with its files, followed, listed and downloaded")
    func wholeWay() async throws {
        try await LiveFarm.serve { farm in
            let (draft, rows) = try BatchCommandTests.write(
                farm, "name,lang,clip,speed\nAnna,de,a,1\nBen,fr,b,1.5\nCleo,fr,a,2\n")
            let outcome = try await spool(
                farm, "submit", draft, "--rows", rows, "--output", "{{lang}}/{{name}}.mp4", "--tag", "lang={{lang}}",
                "--metadata", #"{"order": 7}"#, "--priority", "5")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let batch = try #require(BatchID(outcome.output.trimmingSuffix { $0 == "\n" }.description))
            #expect(outcome.errors.split(separator: "\n").count { $0.hasPrefix("uploaded ") } == 3)
            try await BatchCommandTests.release(farm)
            let exports = try await farm.client.exports(ExportFilter(tags: ["lang": "fr"])).items
            #expect(exports.map(\.label) == ["fr/Cleo.mp4", "fr/Ben.mp4"])
            #expect(exports.allSatisfy { $0.priority == 5 && $0.metadata == .object(["order": .number(7)]) })
            let assets = Dictionary(
                uniqueKeysWithValues: try await farm.client.assets().items.map { ($0.name, "asset:\($0.hash)") })
            let source = try #require(try await farm.store.source(of: exports[1].id))
            #expect(source.parameters == ["lang": "fr", "speed": "1.5", "source1": assets["b.mp4"] ?? ""])
            #expect(source.document.contains(#""url": "{{source1}}""#))
            #expect(source.document.contains(#""url": "\#(assets["clip.mp4"] ?? "")", "when""#))

            let all = try await farm.client.results(of: batch).rows
            for row in all { try await farm.complete(try #require(row.export)) }
            let followed = try await spool(farm, "follow", batch.text)
            #expect(followed.status == 0 && followed.errors.contains("3 of 3 ended"), "\(followed.errors)")
            let listed = try await spool(farm, "ls", "--json")
            #expect(listed.output.contains(batch.text) && listed.output.contains(#""state" : "completed""#))
            #expect(try await spool(farm, "show", batch.text).output.contains("3 of 3 ended, 3 completed, 0 open"))
            let csv = try await spool(farm, "results", batch.text, "--csv").output
            #expect(csv.hasPrefix("row,state,output,export,"))
            #expect(csv.contains("2,completed,fr/Ben.mp4,\(exports[1].id),30,"))
            let folder = farm.directory.file("films")
            let download = try await spool(farm, "download", batch.text, "-o", folder)
            #expect(download.status == 0, "\(download.errors)")
            for name in ["de/Anna.mp4", "fr/Ben.mp4", "fr/Cleo.mp4"] {
                #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))) == LiveFarm.film)
            }
            let again = try await spool(farm, "download", batch.text, "-o", folder, "--no-overwrite")
            #expect(
                again.status == 0 && again.output.isEmpty && again.errors.contains("3 rows with a file that is there already"))
        }
    }

    @Test("Faulty rows are all named with their row, line, column and reason, and nothing is accepted or uploaded")
    func faulty() async throws {
        try await LiveFarm.serve { farm in
            let (draft, rows) = try BatchCommandTests.write(
                farm,
                "name,lang,clip,speed,note\n\"An\nna\",de,a,1,\nBen,fr,gone,1,\nCleo,fr,a,99,\nBen,fr,a,1,\nDora,fr,b,1,\n")
            let outcome = try await spool(farm, "submit", draft, "--rows", rows, "--output", "{{name}}")
            #expect(outcome.status == 65 && outcome.output.isEmpty)
            #expect(
                outcome.errors.split(separator: "\n").map(String.init) == [
                    "warning: \(rows): nothing uses the column 'note'; remove it, or use {{note}} in the template",
                    "error: \(rows): row 2 (line 4), column 'clip': mainTrackClips[0].url: 'clips/gone.mp4' is not a file on this machine",
                    "error: \(rows): row 3 (line 5), column 'speed': mainTrackClips[0].speed: must be 1/10...16, not 99",
                    "error: \(rows): row 4 (line 6), column 'name': output: row 2 has the name 'Ben.mp4', too; make the names "
                        + "different, as with {{row}}",
                    "error: 3 rows of 5 with faults, so nothing was accepted; correct them, or take the other rows with --partial",
                ])
            #expect(try await farm.client.batches().items.isEmpty)
            #expect(try await farm.client.assets().items.isEmpty)

            let partial = try await spool(farm, "submit", draft, "--rows", rows, "--output", "{{name}}", "--partial", "--json")
            #expect(partial.status == 0, "\(partial.errors)")
            #expect(partial.errors.contains("row 3 (line 5), column 'speed'") && partial.errors.contains("3 rows of 5 left out"))
            let batch = try #require(try await farm.client.batches().items.first)
            #expect(batch.progress == BatchProgress(rows: 2, refused: 3, waiting: 2))
            #expect(try await farm.client.results(of: batch.id, state: .refused).rows.map(\.row) == [2, 3, 4])
        }
    }

    @Test("Faults of the file, of the template and of the options are told apart, with exit codes 65 and 64")
    func wrong() async throws {
        try await LiveFarm.serve { farm in
            let (draft, rows) = try BatchCommandTests.write(farm, "name,lang\nAnna,\"de\n")
            let damaged = try await spool(farm, "submit", draft, "--rows", rows)
            #expect(damaged.status == 65)
            #expect(damaged.errors == "error: \(rows): line 2: cell 2 begins with a quote that is never closed\n")
            #expect(try await spool(farm, "submit", draft, "--rows", "rows.txt").status == 64)
            #expect(try await spool(farm, "submit", draft, "--rows", rows + ".csv").status == 65)
            try Data("name\nAnna\n".utf8).write(to: URL(fileURLWithPath: rows))
            let lacking = try await spool(farm, "submit", draft, "--rows", rows)
            #expect(lacking.status == 65)
            for column in ["clip", "speed", "lang"] {
                #expect(
                    lacking.errors.contains(
                        "the template has the merge field {{\(column)}}, and no row has the column '\(column)'"))
            }
            let output = try await spool(farm, "submit", draft, "--rows", rows, "--output", "../x")
            #expect(output.status == 65 && output.errors.contains("output: has '..'"), "\(output.errors)")
            let pace = try await spool(farm, "submit", draft, "--rows", rows, "--limit-rate", "0")
            #expect(pace.status == 64)
            let metadata = try await spool(farm, "submit", draft, "--rows", rows, "--metadata", "7")
            #expect(metadata.status == 64)
        }
    }

    @Test("Rows are read from standard input and JSON Lines, cancelled, and rerun where they failed")
    func lines() async throws {
        try await LiveFarm.serve { farm in
            let (draft, rows) = try BatchCommandTests.write(
                farm, #"{"clip": "a", "speed": 1.5, "lang": "de"}"# + "\n" + #"{"clip": "b", "speed": 1, "lang": "fr"}"# + "\n",
                name: "rows.jsonl")
            let outcome = try await spool(farm, "submit", draft, "--rows", rows, "--limit-rate", "0.1")
            let batch = try #require(BatchID(outcome.output.trimmingSuffix { $0 == "\n" }.description), "\(outcome.errors)")
            #expect(try await farm.client.batch(batch).pace == 0.1)
            _ = try await farm.store.releaseRows(at: Date() + 1)
            let export = try #require(try await farm.client.results(of: batch).rows.first?.export)
            _ = try await farm.store.fail(export, ExportFailure(.input, message: "no such clip"))
            let rerun = try await spool(farm, "rerun", batch.text)
            #expect(rerun.output == "\(batch): 2 rows wait to run again\n")
            let cancelled = try await spool(farm, "cancel", batch.text)
            #expect(cancelled.output.contains("2 of 2 ended, 2 cancelled"))
            let followed = try await spool(farm, "follow", batch.text)
            #expect(followed.status == 75)
            #expect(
                followed.errors.hasSuffix(
                    "error: the batch \(batch) is cancelled: 2 of 2 ended, 2 cancelled; see: spool batch results \(batch)\n"),
                "\(followed.errors)")
            let fetched = try await spool(farm, "download", batch.text, "-o", farm.directory.file("films"))
            #expect(fetched.status == 0 && fetched.output.isEmpty)
            #expect(fetched.errors == "2 rows without a film; see: spool batch results \(batch)\n", "\(fetched.errors)")
            let nothing = try await spool(farm, "rerun", batch.text)
            #expect(nothing.status == 65 && nothing.errors.contains("no row of the batch has failed"))
        }
    }
}

extension StringProtocol {
    /// The text without the characters at its end that a condition holds for.
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, condition(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
