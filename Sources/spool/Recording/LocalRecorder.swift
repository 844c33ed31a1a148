import CommandLineInterface
import DraftModel
import ExactTime
import ExportPlan
import Recorder
import RenderingProcesses
import Vocabulary
import FoundationEssentials

/// Recordings on this machine: the changes that commands make to a `RecordingFolder`.
struct LocalRecorder {
    let folder: RecordingFolder
    let work: WorkOptions
    /// The bytes that artifacts may have in the cache after a clip is rendered; nil for no limit.
    var cacheLimit: Int64?
    /// Whether nothing is said of what goes from the cache, because the command prints JSON.
    var isQuiet = false

    /// Begins a recording after checking everything that its settings name.
    /// - Parameters:
    ///   - settings: the settings, with paths relative to `base`.
    /// - Throws: `CommandFailure` with every error.
    func create(_ settings: RecordingSettings, in base: String) async throws {
        try await check(Recording(settings), in: base)
        try folder.create(Recording(settings.resolvingPaths(in: base)))
    }

    /// Checks everything that a recording's settings name.
    private func check(_ recording: Recording, in base: String) async throws {
        _ = try await LocalRecorder.prepare(
            recording.validationDraft(), recording.settings, settings: recording.validationEncoding, in: base, work)
    }

    /// Changes the settings for the clips that follow and for the draft.
    /// - Parameters:
    ///   - patch: a JSON document with the fields that change, whose paths are relative to `base`; nil if there is none.
    ///   - values: fields that change, as text.
    /// - Throws: `CommandFailure` with every error.
    func change(_ patch: Data?, _ values: [String: String], in base: String) async throws -> RecordingStatus {
        try await folder.change { contents in
            try await recover(&contents)
            let (settings, faults) = contents.recording.settings.changed(by: patch, overrides: values)
            guard let settings, faults.errors.isEmpty else { throw CommandFailure(DraftError(faults)) }
            var recording = contents.recording
            try recording.change(settings.resolvingPaths(in: base))
            try await check(recording, in: base)
            contents.recording = recording
            return folder.status(contents)
        }
    }

    /// Records a clip, after a clip that was interrupted.
    /// - Parameter watch: is told how the capture of the clip comes along, and ends it; the clip is then kept.
    /// - Throws: `CommandFailure`; the recording is then unchanged. `CancellationError` while the clip is rendered; what was
    ///   captured of it becomes a clip with the next change.
    func append(_ input: IncomingMedia, _ clip: ClipSettings, _ watch: CaptureWatch) async throws -> RecordingStatus {
        try await folder.change { contents in
            try await recover(&contents)
            let before = contents
            let take = try contents.recording.begin(clip)
            let source =
                input.needsCapture
                ? folder.incoming(of: take.number) : URL(fileURLWithPath: input.input).standardizedFileURL.path
            contents.inputs[take.number] = source
            do {
                if input.needsCapture {
                    // From here on the recording knows the clip, whatever becomes of this process.
                    try folder.write(contents)
                    watch.begin(take.number, in: folder)
                    try await input.capture(to: source, limit: take.limit, contents.recording.settings, watch)
                }
                try await record(take, from: source, name: input.name, &contents)
            } catch let failure as CommandFailure {
                if input.needsCapture { try folder.write(before) }
                throw failure
            }
            return folder.status(contents)
        }
    }

    /// Makes a clip of what a recorder that was killed or interrupted has captured, and says so.
    private func recover(_ contents: inout RecordingFolder.Contents) async throws {
        guard let take = contents.recording.take else { return }
        let name = "clip \(take.number), which was interrupted,"
        guard let source = contents.inputs[take.number], FileManager.default.fileExists(atPath: source) else {
            contents.inputs[take.number] = nil
            try contents.recording.lose(take.number, "it was interrupted before anything came in")
            return Terminal.error("\(name) is lost: nothing of it came in")
        }
        do {
            try await RecordingFolder.waitForCapture(of: source)
            try await record(take, from: source, name: "clip \(take.number)", &contents)
            let clip = contents.recording.clips.last
            Terminal.error("\(name) is kept: \(clip?.frameCount ?? 0) frames, \(clip?.duration ?? .zero) s")
        } catch let failure as CommandFailure {
            contents.inputs[take.number] = nil
            try contents.recording.lose(take.number, "it was interrupted, and what came in cannot be read")
            Terminal.error("\(name) is lost: \(failure.message)")
        }
        try folder.write(contents)
    }

    /// Renders a clip that was begun, and adds it to the recording.
    private func record(
        _ take: Take, from source: String, name: String, _ contents: inout RecordingFolder.Contents
    ) async throws {
        let recording = contents.recording
        let film = folder.film(of: take.number, recording.fileType(of: take.settings).rawValue)
        let (frameCount, rate) = try await render(recording, take, from: source, name: name, to: film)
        try contents.recording.record(take.number, frameCount: frameCount, rate: rate)
    }

    /// Sets the music; nil removes it.
    /// - Throws: `CommandFailure` when there are clips, or the music cannot be played.
    func setMusic(_ music: RecordingSettings.BackgroundMusic?) async throws -> RecordingStatus {
        try await folder.change { contents in
            try await recover(&contents)
            let here = FileManager.default.currentDirectoryPath
            var recording = contents.recording
            try recording.setBackgroundMusic(music)
            try await check(recording, in: here)
            let resolved = recording.settings.resolvingPaths(in: here).backgroundMusic
            try recording.setBackgroundMusic(resolved)
            contents.recording = recording
            return folder.status(contents)
        }
    }

    /// Exports the clip's own draft in the usual way.
    /// - Returns: the number of frames of the film, and its frame rate.
    private func render(_ recording: Recording, _ take: Take, from source: String, name: String, to film: String) async throws
        -> (frameCount: Int, rate: FrameRate)
    {
        let prepared = try await LocalRecorder.prepare(
            recording.clipDraft(of: take, url: source), recording.settings, settings: recording.encoding(of: take.settings),
            input: name, work, cacheLimit: cacheLimit)
        let bar = ProgressBar()
        defer {
            bar.end()
            prepared.limitCache(isQuiet: isQuiet)
        }
        let export = LocalExport(
            plan: prepared.plan, sources: prepared.sources, store: prepared.store, pool: prepared.pool)
        do {
            let outcome = try await export.run(to: film) { bar.show($0) }
            bar.end()
            try Warnings(isStrict: false).tell(
                prepared.diagnostics(outcome.warnings).map { $0.ofRecording(recording.settings, input: name) })
        } catch let failure as JobFailure {
            throw CommandFailure(failure, writing: [film], places: [:])
        }
        return (prepared.plan.stitch.frameCount, prepared.composition.frameRate)
    }

    /// Finishes the recording and writes its draft.
    /// - Parameters:
    ///   - output: the path of the draft. Its clips have relative paths when it lies in the recording's directory.
    ///   - writing: what happens to an existing file.
    func finish(to output: String?, _ writing: OutputOptions) async throws -> (path: String, frameCount: Int, duration: MediaTime)
    {
        if let output { try writing.checkPlace(output) }
        return try await folder.change { contents in
            try await recover(&contents)
            try contents.recording.finish()
            let path = URL(fileURLWithPath: output ?? folder.path + "/draft.json").standardizedFileURL.path
            let base = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let draft = contents.recording.draft { clip in
                let film = folder.film(of: clip.number, clip.fileType.rawValue)
                return base == folder.path ? String(film.dropFirst(folder.path.count + 1)) : film
            }
            let prepared = try await LocalRecorder.prepare(
                draft, contents.recording.settings, settings: ExportSettings(), in: base, work)
            if output != nil {
                try OutputOptions.check([path], against: try await prepared.inputs() + folder.files(contents))
            }
            let document = try LocalRecorder.document(draft, isIndented: true) + Data("\n".utf8)
            try OutputOptions.write(document, to: path, replacing: output == nil || !writing.noOverwrite)
            return (path, prepared.composition.frameCount, prepared.composition.duration)
        }
    }

    /// Prepares a draft of the recording.
    /// - Parameters:
    ///   - recording: the recording's settings.
    ///   - settings: those of the draft's film.
    ///   - input: the name of the incoming media in messages.
    /// - Throws: `CommandFailure` with every error, whose paths name the recording's settings and the input.
    static func prepare(
        _ draft: Draft, _ recording: RecordingSettings, settings: ExportSettings, input: String = "", in base: String = "/",
        _ work: WorkOptions, cacheLimit: Int64? = nil
    ) async throws -> DraftPreparation {
        do {
            let prepared = try await DraftPreparation(
                try document(draft), in: base, settings: settings.values, work, cacheLimit: cacheLimit)
            try Warnings(isStrict: false).tell(prepared.warnings.map { $0.ofRecording(recording, input: input) })
            return prepared
        } catch let failure as CommandFailure {
            guard let faults = failure.diagnostics else { throw failure }
            throw CommandFailure(DraftError(faults.map { $0.ofRecording(recording, input: input) }))
        }
    }

    private static func document(_ draft: Draft, isIndented: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
        return try encoder.encode(draft)
    }
}

extension RecordingSettings {
    /// The settings with absolute paths.
    fileprivate func resolvingPaths(in base: String) -> RecordingSettings {
        func resolved(_ url: String) -> String {
            url.isEmpty || url.hasPrefix("/") || AssetLocation.matches(url) || url.contains("://") ? url : "\(base)/\(url)"
        }
        var settings = self
        if let url = watermark?.url { settings.watermark?.url = resolved(url) }
        settings.stickers = stickers?.map { sticker in
            var sticker = sticker
            sticker.url = resolved(sticker.url)
            return sticker
        }
        if let url = backgroundMusic?.url { settings.backgroundMusic?.url = resolved(url) }
        settings.filters = filters?.map { filter in
            var filter = filter
            filter.url = filter.url.map(resolved)
            return filter
        }
        return settings
    }
}
