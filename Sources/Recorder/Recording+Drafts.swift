package import DraftModel
package import ExactTime
import ExportPlan
package import Vocabulary

/// The drafts of a recording: one that makes each clip, one that tries the settings, and the draft that is the result.
extension Recording {
    static let usualSize = PixelSize(width: 1280, height: 720)

    /// The size of the picture in pixels.
    package var videoSize: PixelSize { settings.videoSize ?? Recording.usualSize }

    /// Whether the pictures are copied as they come. The size and the rate of clips are then those of the incoming media
    /// where the settings do not give them.
    package var copiesPictures: Bool { settings.encoding.preset == .passthrough }

    package var frameRate: FrameRate { settings.frameRate ?? FrameRate(30) }

    package func fileType(of clip: ClipSettings) -> FileType {
        var encoding = settings.encoding
        if let type = clip.fileType { encoding.fileType = type }
        return encoding.decidedFileType
    }

    /// How a clip is encoded.
    package func encoding(of clip: ClipSettings) -> ExportSettings {
        var encoding = settings.encoding
        encoding.fileType = fileType(of: clip)
        // Clips are cut again, and a draft that plays one begins to decode at the keyframe before.
        if encoding.decidedVideoCodec?.format.hasKeyframes == true {
            encoding.maxKeyframeInterval = encoding.maxKeyframeInterval ?? Rational(2)
        }
        guard encoding.decidedFileType.format.content == .sound else { return encoding }
        // The settings of pictures have no meaning for a clip of sound alone.
        var sound = ExportSettings()
        (sound.fileType, sound.audioBitrate) = (encoding.fileType, encoding.audioBitrate)
        (sound.sampleRate, sound.channels) = (encoding.sampleRate, encoding.channels)
        return sound
    }

    /// The draft whose film is a clip: the incoming media at the recording's size, rotated, filtered and with the
    /// watermark. Speed and volume are not part of it, so that the clip keeps all frames and its full sound.
    /// - Parameter url: the incoming media.
    package func clipDraft(of take: Take, url: String) -> Draft {
        var clip = MainTrackClip(type: .av, url: url)
        clip.timeRange = take.limit.map { TimeRange(start: .zero, duration: $0) }
        if !copiesPictures { clip.scalingMode = settings.scalingMode ?? .aspectFill }
        if settings.mute == true { clip.muted = true }
        clip.cropRect = settings.cropRect
        clip.filters = settings.filters
        switch (settings.rotation, settings.mirror == true) {
        case (nil, false): break
        // The mirror is added to what the file's metadata says.
        case (nil, true): clip.transform = Transform(scale: Transform.Pair(x: -1, y: 1))
        // A draft mirrors before it rotates, while a recorder mirrors what is seen after the rotation. Mirroring first
        // reverses the direction of the rotation.
        case (let degrees?, let isMirrored):
            clip.preferredTransform = PreferredTransform(
                rotation: isMirrored ? (360 - degrees) % 360 : degrees, mirrored: isMirrored)
        }
        var draft = frame()
        draft.mainTrackClips = [clip]
        let stickers = settings.watermark.map { [Effect(sticker: $0.url, $0.destRect)] } ?? []
        let drawn = stickers + (settings.stickers ?? []).map { Effect(sticker: $0.url, $0.destRect, $0.timeRange) }
        if !drawn.isEmpty { draft.effects = drawn }
        return draft
    }

    /// How the film of `validationDraft` would be encoded: it has layers, which cannot be copied.
    package var validationEncoding: ExportSettings {
        var encoding = encoding(of: ClipSettings())
        if copiesPictures { encoding.preset = nil }
        return encoding
    }

    /// A draft with everything that the settings name and no clip. If it has errors, no clip can be recorded.
    package func validationDraft() -> Draft {
        var draft = frame()
        // Pictures that are copied may have any size and rate; a draft of layers needs some.
        (draft.videoSize, draft.frameRate) = (videoSize, frameRate)
        let second = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        var solid = LayerSource(type: .solid)
        solid.color = Color(red: 0, green: 0, blue: 0)
        var background = DraftLayer(timeRange: second, source: solid)
        background.operations = settings.filters
        draft.layers = [background]
        for url in (settings.watermark.map { [$0.url] } ?? []) + (settings.stickers ?? []).map(\.url) {
            draft.layers?.append(DraftLayer(timeRange: second, source: LayerSource(type: .image, url: url)))
        }
        draft.audioClips = settings.backgroundMusic.map { [$0.audioClip] }
        return draft
    }

    /// The draft that a finished recording becomes: the one that it continues, if any, with its clips behind.
    /// - Parameter url: the location of a clip's film.
    package func draft(url: (RecordedClip) -> String) -> Draft {
        var draft = settings.draft ?? frame()
        if let metadata = settings.metadata { draft.metadata = (draft.metadata ?? [:]).merging(metadata) { _, new in new } }
        draft.mainTrackClips += clips.map { recorded in
            var clip = MainTrackClip(type: .av, url: url(recorded))
            if recorded.isCut { clip.timeRange = TimeRange(start: .zero, duration: recorded.duration) }
            if recorded.speed != .one { clip.speed = .constant(recorded.speed) }
            if recorded.volume != 1 { clip.volume = recorded.volume }
            return clip
        }
        if let music = settings.backgroundMusic { draft.audioClips = (draft.audioClips ?? []) + [music.audioClip] }
        return draft
    }

    private func frame() -> Draft {
        var draft = Draft()
        draft.videoSize = settings.clipSize
        draft.frameRate = copiesPictures ? settings.frameRate : frameRate
        return draft
    }
}

extension RecordingSettings {
    /// The size of recorded clips; nil where it is that of the incoming media.
    var clipSize: PixelSize? { encoding.preset == .passthrough ? videoSize : videoSize ?? Recording.usualSize }
}

extension Effect {
    fileprivate init(sticker url: String, _ place: Rect, _ range: TimeRange? = nil) {
        self.init(type: .imageSticker)
        (self.url, destRect, timeRangeAtMainTrack) = (url, place, range)
    }
}

extension RecordingSettings.BackgroundMusic {
    var audioClip: AudioClip {
        var clip = AudioClip(url: url)
        (clip.timeRange, clip.volume, clip.loop) = (timeRange, volume, loop)
        return clip
    }
}

/// The errors of a recording's drafts, with paths that name the recording's settings.
extension DraftDiagnostic {
    /// - Parameters:
    ///   - settings: the recording's settings.
    ///   - input: the name of the incoming media in messages.
    package func ofRecording(_ settings: RecordingSettings, input: String = "") -> DraftDiagnostic {
        let stickers = (settings.stickers ?? []).indices.map { "stickers[\($0)]" }
        let drawn = (settings.watermark == nil ? [] : ["watermark"]) + stickers
        let places =
            drawn.enumerated().flatMap { index, name in
                [
                    ("effects[\(index)].timeRangeAtMainTrack", "\(name).timeRange"), ("effects[\(index)]", name),
                    ("layers[\(index + 1)].source", name),
                ]
            } + [
                ("mainTrackClips[0].url", input), ("mainTrackClips[0].timeRange", input),
                ("mainTrackClips[0].filters", "filters"), ("mainTrackClips[0].cropRect", "cropRect"),
                ("layers[0].operations", "filters"), ("audioClips[0]", "backgroundMusic"), ("settings.", ""),
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
