public import DraftModel
public import ExactTime
import ExportPlan
public import Vocabulary

/// The drafts of a recording: a little one that makes each clip, one that tries its settings, and the one that comes out.
extension Recording {
    /// Pixels of the picture.
    public var videoSize: PixelSize { settings.videoSize ?? PixelSize(width: 1280, height: 720) }

    public var frameRate: FrameRate { settings.frameRate ?? FrameRate(30) }

    public func fileType(of clip: ClipSettings) -> FileType {
        var encoding = settings.encoding
        if let type = clip.fileType { encoding.fileType = type }
        return encoding.decidedFileType
    }

    /// How a clip is encoded.
    public func encoding(of clip: ClipSettings) -> ExportSettings {
        var encoding = settings.encoding
        encoding.fileType = fileType(of: clip)
        return encoding
    }

    /// The draft whose film is a clip: what comes in at the recording's size, turned, filtered and marked. Speed and volume
    /// stay out of it, so that nothing is lost by them.
    /// - Parameter url: what has come in.
    public func clipDraft(of take: Take, url: String) -> Draft {
        var clip = MainTrackClip(type: .av, url: url)
        clip.timeRange = take.limit.map { TimeRange(start: .zero, duration: $0) }
        clip.scalingMode = settings.scalingMode ?? .aspectFill
        if settings.mute == true { clip.muted = true }
        clip.filters = settings.filters
        switch (settings.rotation, settings.mirror == true) {
        case (nil, false): break
        // On top of what the file says of itself.
        case (nil, true): clip.transform = Transform(scale: Transform.Pair(x: -1, y: 1))
        // A draft mirrors before it turns, and a recorder what is seen: the turn goes the other way round.
        case (let degrees?, let isMirrored):
            clip.preferredTransform = PreferredTransform(
                rotation: isMirrored ? (360 - degrees) % 360 : degrees, mirrored: isMirrored)
        }
        var draft = frame()
        draft.mainTrackClips = [clip]
        if let watermark = settings.watermark {
            var sticker = Effect(type: .imageSticker)
            sticker.url = watermark.url
            sticker.destRect = watermark.destRect
            draft.effects = [sticker]
        }
        return draft
    }

    /// A draft with everything that the settings name and no clip: where it is faulty, no clip can be recorded.
    public func trialDraft() -> Draft {
        var draft = frame()
        let second = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        var solid = LayerSource(type: .solid)
        solid.color = Color(red: 0, green: 0, blue: 0)
        var ground = DraftLayer(timeRange: second, source: solid)
        ground.operations = settings.filters
        draft.layers = [ground]
        if let watermark = settings.watermark {
            draft.layers?.append(DraftLayer(timeRange: second, source: LayerSource(type: .image, url: watermark.url)))
        }
        draft.audioClips = settings.backgroundMusic.map { [$0.audioClip] }
        return draft
    }

    /// What a finished recording is.
    /// - Parameter url: where a clip's film is.
    public func draft(url: (RecordedClip) -> String) -> Draft {
        var draft = frame()
        draft.mainTrackClips = clips.map { recorded in
            var clip = MainTrackClip(type: .av, url: url(recorded))
            if recorded.isCut { clip.timeRange = TimeRange(start: .zero, duration: recorded.duration) }
            if recorded.speed != .one { clip.speed = .constant(recorded.speed) }
            if recorded.volume != 1 { clip.volume = recorded.volume }
            return clip
        }
        draft.audioClips = settings.backgroundMusic.map { [$0.audioClip] }
        return draft
    }

    private func frame() -> Draft {
        var draft = Draft()
        draft.videoSize = videoSize
        draft.frameRate = frameRate
        return draft
    }
}

extension RecordingSettings.BackgroundMusic {
    var audioClip: AudioClip {
        var clip = AudioClip(url: url)
        (clip.timeRange, clip.volume, clip.loop) = (timeRange, volume, loop)
        return clip
    }
}

/// What is wrong with a recording's drafts, told of its settings.
extension DraftDiagnostic {
    /// - Parameter input: what the incoming media are called.
    public func ofRecording(input: String = "") -> DraftDiagnostic {
        let places = [
            ("mainTrackClips[0].url", input), ("mainTrackClips[0].timeRange", input), ("mainTrackClips[0].filters", "filters"),
            ("effects[0].destRect", "watermark.destRect"), ("effects[0]", "watermark"), ("layers[0].operations", "filters"),
            ("layers[1].source", "watermark"), ("audioClips[0]", "backgroundMusic"), ("settings.", ""),
            ("mainTrackClips[0]", input),
        ]
        var told = self
        for (place, name) in places where path.hasPrefix(place) {
            told.path = name + path.dropFirst(place.count)
            return told
        }
        return told
    }
}
