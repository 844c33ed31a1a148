import DraftModel
import ExactTime
import Recorder
import Testing

/// The transitions of a recording, one by one.
@Suite("A recording") struct RecordingTests {
    private func recording(_ change: (inout RecordingSettings) -> Void = { _ in }) -> Recording {
        var settings = RecordingSettings()
        change(&settings)
        return Recording(settings)
    }

    /// A recording with clips of these lengths in seconds.
    private func recording(
        clips: [(seconds: Int, speed: Rational)], _ change: (inout RecordingSettings) -> Void = { _ in }
    ) throws -> Recording {
        var recording = recording(change)
        for clip in clips {
            let take = try recording.begin(ClipSettings(speed: clip.speed))
            try recording.record(take.number, frameCount: clip.seconds * 30)
        }
        return recording
    }

    private func code(_ work: () throws -> Void) -> RecordingError.Code? {
        do { try work() } catch let error as RecordingError { return error.code } catch {}
        return nil
    }

    private func message(_ work: () throws -> Void) -> String? {
        do { try work() } catch let error as RecordingError { return error.description } catch {}
        return nil
    }

    @Test("A recording that refuses a change says what it is about and what to do")
    func messages() throws {
        var open = recording { $0.minDuration = MediaTime(seconds: 3) }
        #expect(message { _ = try open.discardLast() } == "the recording has no clip to discard")
        let take = try open.begin(ClipSettings())
        #expect(message { try open.finish() } == "clip 1 is being recorded; wait for its end")
        #expect(message { try open.record(2, frameCount: 1) } == "clip 2 is not being recorded")
        #expect(message { try open.record(take.number, frameCount: 0) } == "clip 1 has no frame")
        try open.record(take.number, frameCount: 30)
        #expect(message { try open.finish() } == "the recording is 1 s long; it needs 2 s more to be finished")
        #expect(
            message { try open.setBackgroundMusic(nil) }
                == "the recording has clips; its music can be changed when they are discarded, or in its draft")
        var other = open.settings
        other.videoSize = PixelSize(width: 64, height: 64)
        #expect(
            message { try open.change(other) }
                == "the recording has clips; its videoSize can be changed when they are discarded, or in its draft")
        var full = try recording(clips: [(2, .one)]) { $0.maxDuration = MediaTime(seconds: 2) }
        #expect(
            message { _ = try full.begin(ClipSettings()) }
                == "the recording has reached its maximum of 2 s and takes no more clips; finish it, or discard the last")
        try full.finish()
        #expect(message { _ = try full.begin(ClipSettings()) } == "the recording is finished; begin a new one")
        #expect(message { try full.discard() } == "the recording is finished; its draft has its clips")
        try open.discard()
        #expect(message { try open.finish() } == "the recording was discarded; begin a new one")
    }

    @Test("A recording counts film time: four seconds at twice the speed are two")
    func filmTime() throws {
        let recording = try recording(clips: [(4, Rational(2)), (3, Rational(1, 2))])
        #expect(recording.clips.map(\.duration) == [MediaTime(seconds: 4), MediaTime(seconds: 3)])
        #expect(recording.clips.map(\.filmDuration) == [MediaTime(seconds: 2), MediaTime(seconds: 6)])
        #expect(recording.duration == MediaTime(seconds: 8))
    }

    @Test("A recording takes one clip at a time")
    func oneAtATime() throws {
        var recording = recording()
        let take = try recording.begin(ClipSettings())
        #expect(code { _ = try recording.begin(ClipSettings()) } == .isRecording)
        #expect(code { _ = try recording.discardLast() } == .isRecording)
        #expect(code { try recording.finish() } == .isRecording)
        #expect(code { try recording.setBackgroundMusic(nil) } == .isRecording)
        #expect(code { try recording.record(take.number + 1, frameCount: 1) } == .wrongClip)
        #expect(code { try recording.record(take.number, frameCount: 0) } == .wrongClip)
        try recording.record(take.number, frameCount: 30)
        #expect(recording.state == .open && recording.clips.map(\.number) == [1])
        #expect(code { try recording.record(take.number, frameCount: 30) } == .wrongClip)
    }

    @Test("A recording that loses a clip keeps the others and uses no number twice")
    func losing() throws {
        var recording = try recording(clips: [(1, .one)])
        let take = try recording.begin(ClipSettings())
        try recording.lose(take.number, "the pipe broke")
        #expect(recording.clips.map(\.number) == [1])
        #expect(recording.lost.map(\.number) == [2] && recording.lost.map(\.reason) == ["the pipe broke"])
        #expect(try recording.begin(ClipSettings()).number == 3)
    }

    @Test("A recording stops exactly at its maximum, and is open again without its last clip")
    func maximum() throws {
        var recording = try recording(clips: [(4, Rational(2))]) { $0.maxDuration = MediaTime(seconds: 5) }
        // Three seconds of film are left, or 2.25 s of incoming media: 67.5 frames.
        let take = try recording.begin(ClipSettings(speed: Rational(3, 4)))
        #expect(take.limit == MediaTime(Rational(9, 4)))
        try recording.record(take.number, frameCount: 68)
        #expect(recording.state == .full && recording.duration == MediaTime(seconds: 5))
        #expect(recording.clips[1].isCut && recording.clips[1].duration == MediaTime(Rational(9, 4)))
        #expect(code { _ = try recording.begin(ClipSettings()) } == .isFull)
        #expect(try recording.discardLast().number == 2)
        #expect(recording.state == .open && recording.remaining == MediaTime(seconds: 3))
        // A clip that is shorter than the time left does not fill the recording.
        let short = try recording.begin(ClipSettings())
        try recording.record(short.number, frameCount: 89)
        #expect(recording.state == .open && recording.clips[1].isCut == false)
    }

    @Test("Any clip can be discarded, and all of them; the recording goes on")
    func discardingAny() throws {
        var recording = try recording(clips: [(1, .one), (2, .one), (3, .one)]) { $0.maxDuration = MediaTime(seconds: 6) }
        #expect(recording.state == .full)
        try recording.discard(2)
        #expect(recording.clips.map(\.number) == [1, 3] && recording.duration == MediaTime(seconds: 4))
        #expect(recording.state == .open)
        #expect(code { try recording.discard(2) } == .noSuchClip)
        try recording.discardAll()
        #expect(recording.clips.isEmpty && recording.state == .open)
        try recording.discardAll()
        #expect(try recording.begin(ClipSettings()).number == 4)
        #expect(code { try recording.discard(4) } == .isRecording)
        #expect(code { try recording.discardAll() } == .isRecording)
    }

    @Test("Settings change between clips, but not the size and the music of clips that are there")
    func changing() throws {
        var recording = try recording(clips: [(4, .one)])
        var settings = recording.settings
        (settings.mirror, settings.maxDuration) = (true, MediaTime(seconds: 4))
        try recording.change(settings)
        #expect(recording.settings == settings && recording.state == .full)
        settings.maxDuration = MediaTime(seconds: 3)
        try recording.change(settings)
        #expect(recording.state == .full && recording.duration == MediaTime(seconds: 4) && recording.remaining == .zero)
        settings.maxDuration = nil
        // The size that holds by default.
        settings.videoSize = PixelSize(width: 1280, height: 720)
        try recording.change(settings)
        #expect(recording.state == .open)
        let before = recording
        settings.videoSize = PixelSize(width: 320, height: 180)
        #expect(code { try recording.change(settings) } == .hasClips)
        settings.videoSize = nil
        settings.backgroundMusic = .init(url: "song.m4a")
        #expect(code { try recording.change(settings) } == .hasClips)
        #expect(recording == before)
        _ = try recording.begin(ClipSettings())
        #expect(code { try recording.change(before.settings) } == .isRecording)
    }

    @Test("Clips that were copied keep their size when the copying ends")
    func copiedSize() throws {
        var recording = recording { $0.encoding.preset = .passthrough }
        let take = try recording.begin(ClipSettings())
        try recording.record(take.number, frameCount: 30, rate: FrameRate(30))
        var settings = recording.settings
        settings.encoding.preset = nil
        #expect(code { try recording.change(settings) } == .hasClips)
        settings.encoding.preset = .passthrough
        settings.videoSize = PixelSize(width: 1280, height: 720)
        #expect(code { try recording.change(settings) } == .hasClips)
        settings.videoSize = nil
        settings.metadata = ["title": "x"]
        try recording.change(settings)
    }

    @Test("A clip is as long as it is to be at most, and no longer than the time left")
    func clipDuration() throws {
        var recording = recording { $0.maxDuration = MediaTime(seconds: 5) }
        let three = ClipSettings(speed: Rational(2), duration: MediaTime(seconds: 3))
        #expect(recording.limit(of: three) == MediaTime(seconds: 3))
        #expect(
            recording.limit(of: ClipSettings(speed: Rational(1, 10), duration: MediaTime(seconds: 3)))
                == MediaTime(Rational(1, 2)))
        let take = try recording.begin(three)
        try recording.record(take.number, frameCount: 90)
        #expect(recording.state == .open && recording.duration == MediaTime(Rational(3, 2)))
    }

    @Test("A recording cannot be finished without a clip or below its minimum")
    func minimum() throws {
        var recording = recording { $0.minDuration = MediaTime(seconds: 2) }
        #expect(code { try recording.finish() } == .noClip)
        let first = try recording.begin(ClipSettings())
        try recording.record(first.number, frameCount: 59)
        #expect(code { try recording.finish() } == .tooShort)
        let second = try recording.begin(ClipSettings())
        try recording.record(second.number, frameCount: 1)
        try recording.finish()
        #expect(recording.state == .finished)
    }

    @Test("A recording that is over cannot change")
    func over() throws {
        var finished = try recording(clips: [(1, .one)])
        try finished.finish()
        var discarded = try recording(clips: [(1, .one)])
        try discarded.discard()
        #expect(discarded.clips.isEmpty)
        for over in [finished, discarded] {
            var recording = over
            #expect(code { _ = try recording.begin(ClipSettings()) } == .isOver)
            #expect(code { _ = try recording.discardLast() } == .isOver)
            #expect(code { try recording.discard(1) } == .isOver)
            #expect(code { try recording.discardAll() } == .isOver)
            #expect(code { try recording.change(RecordingSettings()) } == .isOver)
            #expect(code { try recording.finish() } == .isOver)
            #expect(code { try recording.setBackgroundMusic(nil) } == .isOver)
            #expect(recording == over)
        }
        #expect(code { try finished.discard() } == .isOver)
        try discarded.discard()
    }

    @Test("A recording's music can be changed only while it has no clip")
    func music() throws {
        var recording = recording()
        try recording.setBackgroundMusic(.init(url: "song.m4a"))
        #expect(recording.settings.backgroundMusic?.url == "song.m4a")
        let take = try recording.begin(ClipSettings())
        try recording.record(take.number, frameCount: 30)
        #expect(code { try recording.setBackgroundMusic(nil) } == .hasClips)
        _ = try recording.discardLast()
        try recording.setBackgroundMusic(nil)
        #expect(recording.settings.backgroundMusic == nil)
    }

    @Test("A recording finds the clip that plays at a time, and the time within that clip")
    func clipAtTime() throws {
        let recording = RecordingStatus(
            try recording(clips: [(4, Rational(2)), (3, .one)]), url: { "\($0.number)" }, input: { _ in nil })
        let first = recording.clip(at: MediaTime(Rational(3, 2)))
        #expect(first?.clip.number == 1 && first?.time == MediaTime(seconds: 3))
        let second = recording.clip(at: MediaTime(seconds: 2))
        #expect(second?.clip.number == 2 && second?.time == .zero)
        #expect(recording.clip(at: MediaTime(seconds: 5)) == nil)
        #expect(recording.clip(at: -MediaTime(seconds: 1)) == nil)
    }
}
