public import DraftModel
public import ExactTime

/// A recording: clips that are taken one after another and become a draft. A pure state machine; who keeps it, and who makes
/// the clips, is the business of its callers.
///
///     open ──▶ recording ──▶ open, or full when the maximum is reached
///       │ ◀─── lost, discarded ───┘
///       └──▶ finished, discarded
///
/// All moves are in this file. Durations count in film time: four seconds at twice the speed are two seconds of film.
public struct Recording: Hashable, Sendable, Codable {
    public enum State: Hashable, Sendable, Codable {
        /// The next clip may come.
        case open
        /// A clip is on its way.
        case recording(take: Take)
        /// The maximum is reached: it has stopped by itself.
        case full
        /// It is a draft now, and changes no more.
        case finished
        /// Given up, with all its clips.
        case discarded
    }

    public private(set) var settings: RecordingSettings
    public private(set) var state = State.open
    /// In order.
    public private(set) var clips: [RecordedClip] = []
    /// Clips that were begun and came to nothing, in order.
    public private(set) var lost: [LostClip] = []
    /// How many were begun, discarded ones included: no number is given twice.
    public private(set) var takes = 0

    public init(_ settings: RecordingSettings) {
        self.settings = settings
    }

    // MARK: Clips

    /// Begins a clip.
    /// - Throws: `RecordingError` unless the recording is open.
    public mutating func begin(_ clip: ClipSettings) throws(RecordingError) -> Take {
        try requireOpen()
        takes += 1
        let take = Take(number: takes, settings: clip, limit: remaining.map { $0 * clip.speed })
        state = .recording(take: take)
        return take
    }

    /// The clip on its way is there.
    /// - Parameters:
    ///   - number: the take's.
    ///   - frameCount: of the recorded clip, above zero.
    /// - Throws: `RecordingError` unless that clip is being recorded.
    public mutating func record(_ number: Int, frameCount: Int) throws(RecordingError) {
        guard let take, take.number == number else { throw Recording.isNotRecorded(number) }
        guard frameCount > 0 else { throw RecordingError(.wrongClip, "clip \(number)", "has no frame") }
        let whole = frameRate.time(ofFrame: frameCount)
        clips.append(
            RecordedClip(
                number: number, speed: take.settings.speed, volume: take.settings.volume, fileType: fileType(of: take.settings),
                frameCount: frameCount, duration: take.limit.map { min(whole, $0) } ?? whole,
                isCut: take.limit.map { whole > $0 } ?? false))
        settle()
    }

    /// The clip on its way comes to nothing; all others stay.
    /// - Parameter reason: one sentence for a person.
    /// - Throws: `RecordingError` unless that clip is being recorded.
    public mutating func lose(_ number: Int, _ reason: String) throws(RecordingError) {
        guard take?.number == number else { throw Recording.isNotRecorded(number) }
        lost.append(LostClip(number: number, reason: reason))
        settle()
    }

    /// Takes the last clip away; a full recording is open again.
    /// - Returns: the clip.
    /// - Throws: `RecordingError` when there is none, one is being recorded, or the recording is over.
    public mutating func discardLast() throws(RecordingError) -> RecordedClip {
        try requireAtRest()
        guard let last = clips.popLast() else { throw RecordingError(.noClip, "the recording", "has no clip to discard") }
        settle()
        return last
    }

    // MARK: The whole

    /// Sets the music, or with nil takes it away.
    /// - Throws: `RecordingError` unless there is no clip: clips that were recorded to one music do not fit another.
    public mutating func setBackgroundMusic(_ music: RecordingSettings.BackgroundMusic?) throws(RecordingError) {
        try requireAtRest()
        guard clips.isEmpty else {
            throw RecordingError(
                .hasClips, "the recording", "has clips; its music can be changed when they are discarded, or in its draft")
        }
        settings.backgroundMusic = music
    }

    /// Ends it; `draft(urls:)` is its result.
    /// - Throws: `RecordingError` when it has no clip, is too short, a clip is being recorded, or it is over.
    public mutating func finish() throws(RecordingError) {
        try requireAtRest()
        guard !clips.isEmpty else { throw RecordingError(.noClip, "the recording", "has no clip yet") }
        if let minimum = settings.minDuration, duration < minimum {
            throw RecordingError(
                .tooShort, "the recording", "is \(duration) s long; it needs \(minimum - duration) s more to be finished")
        }
        state = .finished
    }

    /// Gives it up with all its clips, also the one that is being recorded.
    /// - Throws: `RecordingError` when it is finished. Given up twice, it is given up.
    public mutating func discard() throws(RecordingError) {
        if state == .finished { throw RecordingError(.isOver, "the recording", "is finished; its draft has its clips") }
        clips = []
        state = .discarded
    }

    // MARK: What is there

    /// Of all clips, in film time.
    public var duration: MediaTime { clips.reduce(.zero) { $0 + $1.filmDuration } }

    /// What is left until the maximum, in film time; nil without one.
    public var remaining: MediaTime? { settings.maxDuration.map { $0 - duration } }

    /// The clip that is being recorded.
    public var take: Take? {
        guard case .recording(let take) = state else { return nil }
        return take
    }

    // MARK: What may be done

    private mutating func settle() {
        state = remaining.map { $0 <= .zero } == true ? .full : .open
    }

    private func requireOpen() throws(RecordingError) {
        try requireAtRest()
        guard state == .full, let maximum = settings.maxDuration else { return }
        throw RecordingError(
            .isFull, "the recording",
            "has reached its maximum of \(maximum) s and takes no more clips; finish it, or discard the last")
    }

    private func requireAtRest() throws(RecordingError) {
        switch state {
        case .open, .full: return
        case .recording(let take):
            throw RecordingError(.isRecording, "clip \(take.number)", "is being recorded; wait for its end")
        case .finished: throw RecordingError(.isOver, "the recording", "is finished; begin a new one")
        case .discarded: throw RecordingError(.isOver, "the recording", "was discarded; begin a new one")
        }
    }

    private static func isNotRecorded(_ number: Int) -> RecordingError {
        RecordingError(.wrongClip, "clip \(number)", "is not being recorded")
    }
}
