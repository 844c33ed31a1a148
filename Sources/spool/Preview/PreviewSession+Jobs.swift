import ArtifactStore
import ExportPlan
import RenderingProcesses
import FoundationEssentials

/// The jobs of a preview, which the rendering processes take one after the other.
extension PreviewSession: JobFeed {
    /// How far ahead of the playhead segments are rendered, in seconds of film.
    private static let ahead = 60.0
    /// How often a job is tried whose process dies, or that fails for a reason that may pass.
    private static let attempts = 3
    /// The pause before another attempt.
    private static let pause = Duration.seconds(1)

    func next() async -> Assignment<Ticket>? {
        while !Task.isCancelled {
            do {
                if let (ticket, job, memory) = try pick() {
                    running[ticket] = Running(memory: memory)
                    tellProgress()
                    return Assignment(ticket, RenderOrder(job, store: directory.cache.store.directory))
                }
            } catch {
                show(troubleOf: error)
            }
            await waitForJob()
        }
        return nil
    }

    func started(_ ticket: Ticket, stop: @escaping @Sendable () -> Void) {
        running[ticket]?.stop = stop
        if !isNeeded(ticket) { stop() }
    }

    func progress(_ ticket: Ticket, done: Int) {}

    func ended(_ ticket: Ticket, _ outcome: JobOutcome, log: String) {
        running[ticket] = nil
        switch (ticket, outcome) {
        case (.artifact(let key), .finished): finish(key)
        case (.waveform, .finished(let result)): finish(result.peaks)
        case (.artifact(let key), .failed(let failure)):
            note(missing: failure.missingArtifacts ?? [])
            retry(key, failure.description, isLasting: [.input, .environment].contains(failure.failureClass))
        case (.artifact(let key), .died(let death)):
            // Perhaps it was stopped, and is needed again.
            if isNeeded(ticket) { retry(key, "the rendering process has died: \(death.description)", isLasting: false) }
        case (.waveform, _):
            // The page has no waveform where it cannot be drawn.
            failures[ticket, default: 0] += 1
            if failures[ticket] ?? 0 < PreviewSession.attempts { drawn = nil }
        }
        tellProgress()
        wake()
    }

    /// Whether the draft as it is now needs a job.
    func isNeeded(_ ticket: Ticket) -> Bool {
        switch ticket {
        case .artifact(let key): version?.job(key) != nil
        case .waveform: drawn == version?.plan.audioSegments.map(\.key)
        }
    }

    // MARK: What is next

    /// The next job for a slot, with the bytes that it may need. Files whose artifacts are there are made at once.
    private func pick() throws -> (Ticket, RenderJob, Int64)? {
        guard let version else { return nil }
        for file in files(of: version) where !directory.has("media/\(file)") {
            for key in try missing(for: file, version) {
                if let job = try job(key, version) { return job }
            }
        }
        return try waveform(of: version)
    }

    /// The files that are wanted now, the most urgent first.
    private func files(of version: PreviewVersion) -> [String] {
        var files = wanted
        // Nothing is played before both headers are there.
        if tracks.pictures == nil, let first = version.picture(at: playhead) { files.append(first.file) }
        if tracks.sound == nil, let silence = version.silence { files.append(silence.file) }
        return files + version.files(from: playhead, for: PreviewSession.ahead)
    }

    /// The job that makes an artifact; nil where it is running, has failed, waits for another attempt, or needs more memory
    /// than there is beside the running ones.
    private func job(_ key: ArtifactKey, _ version: PreviewVersion) throws -> (Ticket, RenderJob, Int64)? {
        guard running[.artifact(key)] == nil, failed[key] == nil, !held.contains(key), let (job, needed) = version.job(key)
        else { return nil }
        let used = running.values.reduce(0) { $0 + $1.memory }
        if let memory, !running.isEmpty, used + needed > memory { return nil }
        return (.artifact(key), job, needed)
    }

    /// The artifacts that have to be made next for a file; where none is missing, the file is made.
    private func missing(for file: String, _ version: PreviewVersion) throws -> [ArtifactKey] {
        guard let key = version.artifact(of: file) else { return [] }
        if try isThere(key) {
            try make(file)
            return []
        }
        let mixes = try version.sound(named: file)?.mixes.filter { try !isThere($0) } ?? []
        return mixes.isEmpty ? [key] : mixes
    }

    /// The drawing of the waveform, or a mix that it needs; nil where it is done.
    private func waveform(of version: PreviewVersion) throws -> (Ticket, RenderJob, Int64)? {
        let mixes = version.plan.audioSegments.map(\.key)
        guard let encode = version.plan.soundtrack?.encode, drawn != mixes, running[.waveform] == nil else { return nil }
        let absent = try mixes.filter { try !isThere($0) }
        guard absent.isEmpty else { return try absent.lazy.compactMap { try self.job($0, version) }.first }
        drawn = mixes
        return (.waveform, .waveform(segments: mixes, request: PreviewWaveform.request(encode)), 0)
    }

    // MARK: What became of it

    private func finish(_ key: ArtifactKey) {
        note(made: key)
        do {
            for file in version?.files(of: key) ?? [] where version?.artifact(of: file) == key && !directory.has("media/\(file)")
            {
                try make(file)
            }
        } catch {
            show(troubleOf: error)
        }
    }

    private func finish(_ peaks: SoundPeaks?) {
        guard isNeeded(.waveform), let peaks else { return }
        do {
            try write(PreviewWaveform(peaks))
        } catch {
            show(troubleOf: error)
        }
    }

    /// Tries a job again after a pause, or tells who waits for the artifact why it does not come.
    private func retry(_ key: ArtifactKey, _ reason: String, isLasting: Bool) {
        failures[.artifact(key), default: 0] += 1
        if !isLasting, failures[.artifact(key)] ?? 0 < PreviewSession.attempts {
            held.insert(key)
            Task {  // it ends with the pause
                try? await Task.sleep(for: PreviewSession.pause)  // cancelled: nothing is tried any more
                release(key)
            }
            return
        }
        failed[key] = Failure(reason: reason, isLasting: isLasting)
        for file in version?.files(of: key) ?? [] { tell(file, reason) }
        // A page knows no file, and asks for none, before both headers are there.
        if tracks.pictures == nil || tracks.sound == nil { show(trouble: reason) }
    }

    private func release(_ key: ArtifactKey) {
        held.remove(key)
        wake()
    }
}
