import FarmAPI
import ContentHashing
import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

/// Sources whose bytes change while a farm uses them: an uploaded asset that is damaged in the store, and a file that
/// is overwritten.
@Suite(.serialized) struct FarmSourceTests {
    /// When an asset is damaged.
    enum Damage: CaseIterable, Sendable {
        /// Before the asset is probed.
        case beforeProbe
        /// As `beforeProbe`, and its file gets its old modification time back.
        case beforeProbeKeepingTime
        /// After an export has used it; the same worker renders the next export.
        case betweenExports
        /// After an export has used it; its file gets its old modification time back, and another worker renders the
        /// next export.
        case betweenExportsKeepingTime

        var keepsTime: Bool { self == .beforeProbeKeepingTime || self == .betweenExportsKeepingTime }
        var isBeforeProbe: Bool { self == .beforeProbe || self == .beforeProbeKeepingTime }
    }

    @Test(
        "An asset with a flipped byte fails only its export, and after another upload the draft completes",
        .timeLimit(.minutes(5)), arguments: Damage.allCases)
    func damagedAsset(_ damage: Damage) async throws {
        let sources = try await TwoSources()
        let options = ["--set", "videoQuality=30"]
        let local = (try await sources.exportLocally("lake", options), try await sources.exportLocally("hill", options))
        try await TestFarm.with(workers: 0) { farm in
            if !damage.isBeforeProbe {
                await farm.startWorker("w1")
                try await farm.watch(try await farm.submit([sources.draft("lake")]))
                if damage.keepsTime { await farm.stop("w1") }
            } else {
                // The asset is uploaded, and its export is cancelled before the asset is probed.
                let upload = try await farm.submit([sources.draft("lake")], options)
                #expect(try await farm.spool(["cancel"] + upload).status == 0)
            }
            let hash = try ContentHash.ofFile(sources.file("lake")).hash
            let asset = farm.directory.file("store/assets/1/\(hash.prefix(2))/\(hash)")
            let flipped = try await ShellTool.run(
                """
                touch -r '\(asset)' '\(asset).time' && printf '\\377' | dd of='\(asset)' bs=1 seek=9000 conv=notrunc status=none
                \(damage.keepsTime ? "touch -r '\(asset).time' '\(asset)'" : "true") && rm '\(asset).time'
                """)
            try #require(flipped.status == 0, "\(flipped.errors)")
            try #require(try ContentHash.ofFile(asset).hash != hash)
            let stored = try await farm.storedFiles()

            let id = try await farm.submit([sources.draft("lake")], options)[0]
            let other = try await farm.submit([sources.draft("hill")], options)
            if damage.isBeforeProbe { await farm.startWorker("w1") } else if damage.keepsTime { await farm.startWorker("w2") }
            let watched = try await farm.spool(["watch", id])
            #expect(watched.status == 65, "\(watched.errors)")
            #expect(watched.errors.contains("is damaged in the store; upload it again"), "\(watched.errors)")
            // A probe names the place in the draft; a rendering job names the asset.
            let name = damage.isBeforeProbe ? "mainTrackClips[0].url" : "asset:\(hash)"
            #expect(watched.errors.contains(name), "\(watched.errors)")
            let failed = try await farm.export(id)
            #expect(failed.state == .failed && failed.failure?.failureClass == .input, "\(String(describing: failed.failure))")
            try await farm.watch(other)
            #expect(try await farm.film(other[0]) == local.1)
            let new = try await farm.storedFiles().subtracting(stored)
            let keys = Set(try await farm.store.jobs(.init(export: failed.id, limit: 1000)).map(\.key.text))
            #expect(new.isDisjoint(with: keys), "an artifact of the damaged asset was stored")

            let again = try await farm.submit([sources.draft("lake")], options)[0]
            #expect(try ContentHash.ofFile(asset).hash == hash, "it was uploaded again")
            try await farm.watch([again])
            #expect(try await farm.film(again) == local.0)
        }
    }

    /// When a file is overwritten.
    enum Moment: String, CaseIterable, Sendable {
        /// After it was probed and before its first rendering job begins.
        case beforeRendering
        /// While the first rendering job reads it.
        case whileRendering
    }

    @Test(
        "An overwritten file fails its export by name, and with the old file back the draft completes",
        .timeLimit(.minutes(5)), arguments: Moment.allCases)
    func overwritten(_ moment: Moment) async throws {
        let sources = try await TwoSources()
        let settings = ["encoderSpeed": "veryslow"]
        let local = try await sources.exportLocally("lake", settings.flatMap { ["--set", "\($0)=\($1)"] })
        let document = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(sources.file("lake"))"}]}"#
        try await TestFarm.with(workers: 0, allow: sources.directory.path) { farm in
            let interferingRenderer = try sources.interferingRenderer(moment)
            await farm.startWorker("w1", environment: ["SPOOL_RENDER_EXECUTABLE": interferingRenderer])
            let id = try await farm.post(document, settings: settings)
            let watched = try await farm.spool(["watch", id])
            #expect(watched.status == 65, "\(watched.errors)")
            #expect(watched.errors.contains(sources.file("lake")), "\(watched.errors)")
            #expect(watched.errors.contains("changed while it was used"), "\(watched.errors)")
            #expect(try await farm.export(id).failure?.failureClass == .input)
            try #require(FileManager.default.fileExists(atPath: sources.overwritten))
            await farm.stop("w1")
            let later = try await ShellTool.run(
                "find '\(farm.directory.file("store/tenants"))' -type f -newer '\(sources.overwritten)'")
            #expect(later.status == 0 && later.output == "", "stored after the file was overwritten: \(later.output)")

            try await sources.restore()
            await farm.startWorker("w2")
            let again = try await farm.post(document, settings: settings)
            try await farm.watch([again])
            #expect(try await farm.film(again) == local)
        }
    }
}

/// Two clips with different content, and a draft for each.
private struct TwoSources {
    let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        for (name, tone) in [("lake", 330), ("hill", 440), ("storm", 550)] {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=4,noise=alls=5:all_seed=\(tone):allf=t", "-f",
                "lavfi", "-i", "sine=frequency=\(tone):duration=4", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25",
                "-c:a", "pcm_s16le", file(name),
            ])
            let text = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(name).mov"}]}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: draft(name)))
        }
        // Rendering processes run as another user, who must be able to read the sources.
        _ = try await ShellTool.run("chmod -R a+rX '\(directory.path)'")
    }

    func file(_ name: String) -> String { directory.file("\(name).mov") }

    func draft(_ name: String) -> String { directory.file("\(name).json") }

    /// A file that is created as soon as the source `lake` has been overwritten.
    var overwritten: String { directory.file("overwritten") }

    /// The sha256 of the film that `spool export` makes of one of them.
    func exportLocally(_ name: String, _ options: [String]) async throws -> String {
        let film = directory.file("local.mp4")
        let outcome = try await SpoolTool.run(
            ["export", draft(name), "-o", film, "--cache", directory.file("cache")] + options)
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "spool export: \(outcome.errors)") }
        return try ContentHash.ofFile(film).hash
    }

    /// A program that replaces the renderer: it runs the renderer, and overwrites the source `lake` once at the given
    /// moment.
    func interferingRenderer(_ moment: FarmSourceTests.Moment) throws -> String {
        let program = directory.file("interferingRenderer")
        try FileManager.default.copyItem(atPath: file("lake"), toPath: directory.file("kept.mov"))
        let script = """
            #!/bin/bash
            overwrite() {
                [[ -e '\(overwritten)' ]] && return
                cat '\(file("storm"))' > '\(file("lake"))'
                touch '\(overwritten)'
            }
            while IFS= read -r line; do
                if [[ "$line" != *'"probe":'* ]]; then
                    touch '\(directory.file("rendering"))'
                    [[ \(moment.rawValue) == beforeRendering ]] && overwrite
                fi
                printf '%s\\n' "$line"
            done | '\(SpoolTool.executable)-render' "$@" | while IFS= read -r line; do
                if [[ \(moment.rawValue) == whileRendering && "$line" == *'"progress"'* && -e '\(directory.file("rendering"))' ]]; then
                    overwrite
                fi
                printf '%s\\n' "$line"
            done
            """
        guard
            FileManager.default.createFile(
                atPath: program, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
        else { throw CocoaError(.fileWriteUnknown) }
        return program
    }

    /// Restores the old source `lake` with its modification time, as a copy from a backup does.
    func restore() async throws {
        let kept = directory.file("kept.mov")
        let outcome = try await ShellTool.run("cat '\(kept)' > '\(file("lake"))' && touch -r '\(kept)' '\(file("lake"))'")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }
}

extension TestFarm {
    /// The names of all artifacts in the store.
    fileprivate nonisolated func storedFiles() async throws -> Set<String> {
        let found = try await ShellTool.run(
            "mkdir -p '\(directory.file("store/tenants"))'; find '\(directory.file("store/tenants"))' -type f -printf '%f\\n'")
        return Set(found.output.split(separator: "\n").map(String.init))
    }
}
