import ArtifactStore
import CommandLineInterface
import ExportPlan
import FoundationEssentials

/// Decides what of a preview is rendered next, and makes the files that the page plays.
///
/// Segments that a page waits for come first, then those behind the playhead, and at last the waveform. The rendering processes
/// take their jobs from here, and keep running between them (`PreviewSession+Jobs.swift`).
actor PreviewSession {
    /// A job of a rendering process for the preview.
    enum Ticket: Hashable, Sendable {
        case artifact(ArtifactKey)
        case waveform
    }

    /// A job that a process has.
    struct Running {
        /// Bytes that it is predicted to need.
        var memory: Int64
        /// Kills the process.
        var stop: @Sendable () -> Void = {}
    }

    /// The reason that an artifact could not be made.
    struct Failure {
        var reason: String
        /// Whether another attempt would fail as well.
        var isLasting: Bool
    }

    let directory: PreviewDirectory
    private let media: PreviewMedia
    private let send: @Sendable (PreviewEvent) -> Void
    /// Bytes that running jobs may need together; nil sets no limit.
    let memory: Int64?
    private(set) var version: PreviewVersion?
    /// The faults of the draft; nil where there is none.
    private var faults: [PreviewState.Fault]?
    /// The fault of this machine; nil where there is none.
    private var trouble: String?
    /// The name of the draft's file.
    private let draftName: String
    private var revision = 0
    private(set) var tracks: (pictures: PreviewMedia.Track?, sound: PreviewMedia.Track?)
    private(set) var playhead = 0.0
    /// The files that pages wait for, the earliest first.
    private(set) var wanted: [String] = []
    /// The artifacts that are there.
    private var known: Set<ArtifactKey> = []
    var running: [Ticket: Running] = [:]
    var failed: [ArtifactKey: Failure] = [:]
    /// How often jobs have failed.
    var failures: [Ticket: Int] = [:]
    /// The artifacts whose jobs wait for another attempt.
    var held: Set<ArtifactKey> = []
    /// The mixes of the sound that the waveform was drawn of, or is drawn of now.
    var drawn: [ArtifactKey]?
    /// Slots without a job.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - draft: the name of the draft's file.
    ///   - memory: bytes that running jobs may need together; nil sets no limit.
    ///   - send: tells the server of an event.
    init(_ directory: PreviewDirectory, draft: String, memory: Int64?, send: @escaping @Sendable (PreviewEvent) -> Void) {
        self.directory = directory
        self.memory = memory
        draftName = draft
        media = PreviewMedia(directory: directory)
        self.send = send
    }

    // MARK: The draft

    /// Shows another version of the draft. Jobs that it does not need any more are stopped.
    func show(_ version: PreviewVersion) throws {
        if let last = self.version, !version.hasPictures(of: last) { tracks.pictures = nil }
        self.version = version
        (faults, trouble) = (nil, nil)
        (failed, failures, held) = ([:], [:], [])
        for (ticket, job) in running where !isNeeded(ticket) { job.stop() }
        for file in wanted where !version.plays(file) { refuse(file) }
        directory.removeSegments(unless: version.plays)
        try publish()
        wake()
    }

    /// Shows what is wrong with the draft; the last good version stays.
    func show(_ failure: CommandFailure) throws {
        faults =
            failure.diagnostics?.map(PreviewState.Fault.init)
            ?? failure.lines.map { PreviewState.Fault(severity: "error", path: "", message: $0.dropping("error: ")) }
        try publish()
    }

    /// Ends the use of the draft, so that its artifacts may be removed from the cache.
    func close() { version = nil }

    private func publish() throws {
        revision += 1
        let state = PreviewState(
            revision: revision, draft: draftName, version, tracks: tracks,
            failure: faults ?? trouble.map { [PreviewState.Fault(severity: "error", path: "", message: $0)] })
        try directory.write(try JSONEncoder().encode(state), to: "state.json")
        if let version { try PreviewPlaylists(version, tracks)?.write(to: directory) }
        send(.state(revision: revision))
    }

    /// Shows on the page why this machine cannot go on.
    func show(troubleOf error: any Error) {
        show(trouble: "the preview cannot go on: \(CommandFailure(any: error)?.message ?? "\(error)")")
    }

    /// Shows on the page what this machine cannot do.
    func show(trouble message: String) {
        guard trouble != message else { return }
        trouble = message
        try? publish()  // where nothing can be written, the page cannot be told
    }

    // MARK: The page

    /// Takes a line of the server.
    func heard(_ message: PreviewMessage) {
        if let file = message.want { want(file) }
        if let seconds = message.playhead, seconds.isFinite { playhead = max(0, seconds) }
        wake()
    }

    private func want(_ file: String) {
        guard let version, version.plays(file) else { return refuse(file) }
        for key in version.artifacts(of: file) {
            guard let failure = failed[key] else { continue }
            if failure.isLasting { return send(.failed(file: file, message: failure.reason)) }
            // The page asks again after a while, and the machine may have recovered.
            failed[key] = nil
            failures[.artifact(key)] = nil
        }
        if !wanted.contains(file) { wanted.append(file) }
    }

    /// Tells who waits for a file that the draft does not have it any more.
    private func refuse(_ file: String) {
        tell(file, "the draft has changed; this segment is not part of it any more")
    }

    /// Tells who waits for a file why it does not come.
    func tell(_ file: String, _ reason: String) {
        wanted.removeAll { $0 == file }
        send(.failed(file: file, message: reason))
    }

    /// Tells the page what is being rendered.
    func tellProgress() {
        let busy = running.keys.flatMap { ticket in
            if case .artifact(let key) = ticket { version?.files(of: key) ?? [] } else { [] as [String] }
        }
        send(.progress(busy: busy.sorted()))
    }

    // MARK: Files

    func isThere(_ key: ArtifactKey) throws -> Bool {
        if known.contains(key) { return true }
        guard try directory.cache.store.localFile(for: key) != nil else { return false }
        known.insert(key)
        return true
    }

    func note(made key: ArtifactKey) { known.insert(key) }

    /// Notes that artifacts are gone, so that they are made again.
    func note(missing keys: [ArtifactKey]) { known.subtract(keys) }

    /// Makes a media file of its artifact, and tells who waits for it.
    func make(_ file: String) throws {
        guard let version, let key = version.artifact(of: file) else { return }
        guard let artifact = try directory.cache.store.localFile(for: key) else { return note(missing: [key]) }
        var isNewTrack = false
        if let picture = version.picture(named: file) {
            try media.write(picture, from: artifact, number: version.pictures.firstIndex(of: picture) ?? 0)
            if tracks.pictures == nil {
                tracks.pictures = try media.writeHeader(of: artifact)
                isNewTrack = true
            }
        } else if let sound = version.sound(named: file) {
            if sound == version.silence {
                tracks.sound = try media.writeHeader(of: artifact, named: file)
                isNewTrack = true
            } else {
                try media.write(sound, from: artifact, number: version.sounds.firstIndex(of: sound) ?? 0)
            }
        }
        wanted.removeAll { $0 == file }
        if isNewTrack || trouble != nil {
            trouble = nil
            try publish()
        }
        send(.ready(file: file))
    }

    /// Writes the waveform's file, and tells the page.
    func write(_ waveform: PreviewWaveform) throws {
        try directory.write(try JSONEncoder().encode(waveform), to: "waveform.json")
        try publish()
    }

    // MARK: Slots

    /// Waits until there may be a job. A cancelled task does not wait.
    func waitForJob() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append($0) }
        } onCancel: {
            Task { await self.wake() }  // it only wakes waiting slots, which check their own cancellation
        }
    }

    func wake() {
        let sleepers = waiting
        waiting = []
        for sleeper in sleepers { sleeper.resume() }
    }
}

extension String {
    /// The text without a beginning.
    fileprivate func dropping(_ beginning: String) -> String { hasPrefix(beginning) ? String(dropFirst(beginning.count)) : self }
}
