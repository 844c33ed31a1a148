package import DraftModel
package import ExactTime

/// A recording: clips that are recorded one after another and become a draft. It is a pure state machine; its callers
/// store it and make the clips.
///
///     open ──▶ recording ──▶ open, or full when the maximum is reached
///       │ ◀─── lost, discarded ───┘
///       └──▶ finished, discarded
///
/// All transitions are in this file. Durations count in film time: four seconds at twice the speed are two seconds of
/// film.
package struct Recording: Hashable, Sendable, Codable {
    package enum State: Hashable, Sendable, Codable {
        /// The next clip may be begun.
        case open
        /// A clip is being recorded.
        case recording(take: Take)
        /// The maximum is reached; no clip can be begun.
        case full
        /// It has become a draft and can no longer change.
        case finished
        /// It was discarded with all its clips.
        case discarded
    }

    package private(set) var settings: RecordingSettings
    package private(set) var state = State.open
    /// The recorded clips, in order.
    package private(set) var clips: [RecordedClip] = []
    /// Clips that were begun and failed, in order.
    package private(set) var lost: [LostClip] = []
    /// How many clips were begun, including discarded ones, so that no number is used twice.
    package private(set) var takes = 0

    package init(_ settings: RecordingSettings) {
        self.settings = settings
        settle()
    }

    // MARK: Clips

    /// Begins a clip.
    /// - Throws: `RecordingError` unless the recording is open.
    package mutating func begin(_ clip: ClipSettings) throws(RecordingError) -> Take {
        try requireOpen()
        takes += 1
        let take = Take(number: takes, settings: clip, limit: limit(of: clip))
        state = .recording(take: take)
        return take
    }

    /// Adds the clip that was being recorded.
    /// - Parameters:
    ///   - number: the take's number.
    ///   - frameCount: the number of frames of the recorded clip, above zero.
    ///   - rate: its frame rate, where the recording has none because it copies the pictures as they come.
    /// - Throws: `RecordingError` unless that clip is being recorded.
    package mutating func record(_ number: Int, frameCount: Int, rate: FrameRate? = nil) throws(RecordingError) {
        guard let take, take.number == number else { throw Recording.isNotRecorded(number) }
        guard frameCount > 0 else { throw RecordingError(.wrongClip, "clip \(number)", "has no frame") }
        let whole = (rate ?? frameRate).time(ofFrame: frameCount)
        clips.append(
            RecordedClip(
                number: number, speed: take.settings.speed, volume: take.settings.volume, fileType: fileType(of: take.settings),
                frameCount: frameCount, duration: take.limit.map { min(whole, $0) } ?? whole,
                isCut: take.limit.map { whole > $0 } ?? false))
        settle()
    }

    /// Records that the current clip failed; all other clips stay.
    /// - Parameter reason: one sentence for a person.
    /// - Throws: `RecordingError` unless that clip is being recorded.
    package mutating func lose(_ number: Int, _ reason: String) throws(RecordingError) {
        guard take?.number == number else { throw Recording.isNotRecorded(number) }
        lost.append(LostClip(number: number, reason: reason))
        settle()
    }

    /// Removes the last clip; a full recording is open again.
    /// - Returns: the clip.
    /// - Throws: `RecordingError` when there is none, one is being recorded, or the recording is over.
    package mutating func discardLast() throws(RecordingError) -> RecordedClip {
        try requireAtRest()
        guard let last = clips.popLast() else { throw RecordingError(.noClip, "the recording", "has no clip to discard") }
        settle()
        return last
    }

    /// Removes a clip; the clips after it move up, and a full recording is open again.
    /// - Parameter number: the clip's number.
    /// - Throws: `RecordingError` when there is no such clip, one is being recorded, or the recording is over.
    package mutating func discard(_ number: Int) throws(RecordingError) {
        try requireAtRest()
        guard let index = clips.firstIndex(where: { $0.number == number }) else {
            let numbers = clips.map { "\($0.number)" }.joined(separator: ", ")
            throw RecordingError(
                .noSuchClip, "the recording", "has no clip \(number)" + (numbers.isEmpty ? "" : "; it has \(numbers)"))
        }
        clips.remove(at: index)
        settle()
    }

    /// Removes all clips; the recording goes on empty. Without clips it changes nothing.
    /// - Throws: `RecordingError` when a clip is being recorded, or the recording is over.
    package mutating func discardAll() throws(RecordingError) {
        try requireAtRest()
        clips = []
        settle()
    }

    // MARK: The whole

    /// Sets the music; nil removes it.
    /// - Throws: `RecordingError` unless there is no clip: clips that were recorded to one music do not fit another.
    package mutating func setBackgroundMusic(_ music: RecordingSettings.BackgroundMusic?) throws(RecordingError) {
        try requireAtRest()
        guard clips.isEmpty else {
            throw RecordingError(
                .hasClips, "the recording", "has clips; its music can be changed when they are discarded, or in its draft")
        }
        settings.backgroundMusic = music
    }

    /// Changes the settings, for the clips that are recorded from now on and for the draft.
    /// - Throws: `RecordingError` when a clip is being recorded or the recording is over; and when there are clips, which keep
    ///   the size and the music that they were recorded with, and one of these changes.
    package mutating func change(_ new: RecordingSettings) throws(RecordingError) {
        try requireAtRest()
        if !clips.isEmpty {
            let fixed = [
                ("videoSize", new.clipSize == settings.clipSize),
                ("backgroundMusic", new.backgroundMusic == settings.backgroundMusic),
                ("draft", new.draft == settings.draft && new.draftDuration == settings.draftDuration),
            ]
            if let (name, _) = fixed.first(where: { !$0.1 }) {
                throw RecordingError(
                    .hasClips, "the recording",
                    "has clips; its \(name) can be changed when they are discarded, or in its draft")
            }
        }
        settings = new
        settle()
    }

    /// Finishes the recording; `draft(url:)` is its result.
    /// - Throws: `RecordingError` when it has no clip, is too short, a clip is being recorded, or it is over.
    package mutating func finish() throws(RecordingError) {
        try requireAtRest()
        guard !clips.isEmpty else { throw RecordingError(.noClip, "the recording", "has no clip yet") }
        if let minimum = settings.minDuration, duration < minimum {
            throw RecordingError(
                .tooShort, "the recording", "is \(duration) s long; it needs \(minimum - duration) s more to be finished")
        }
        state = .finished
    }

    /// Discards the recording with all its clips, also the one that is being recorded. Discarding it again changes
    /// nothing.
    /// - Throws: `RecordingError` when it is finished.
    package mutating func discard() throws(RecordingError) {
        if state == .finished { throw RecordingError(.isOver, "the recording", "is finished; its draft has its clips") }
        clips = []
        state = .discarded
    }

    // MARK: What is there

    /// The duration of all clips, with those of the draft that is continued, in film time.
    package var duration: MediaTime { clips.reduce(settings.draftDuration ?? .zero) { $0 + $1.filmDuration } }

    /// The time left until the maximum, in film time; nil without a maximum.
    package var remaining: MediaTime? { settings.maxDuration.map { max(.zero, $0 - duration) } }

    /// The clip that is being recorded.
    package var take: Take? {
        guard case .recording(let take) = state else { return nil }
        return take
    }

    /// How much of a clip's incoming media is recorded, in their own time; nil for all of them.
    package func limit(of clip: ClipSettings) -> MediaTime? {
        [remaining.map { $0 * clip.speed }, clip.duration].compactMap(\.self).min()
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
