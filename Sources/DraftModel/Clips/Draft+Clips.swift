import ExactTime
import Vocabulary

/// Reads clips, ramps and transitions. The ranges are those of the tables in `docs/draft.md`.
private let speedRange = Rational(1, 10)...Rational(16)

extension MainTrackClip {
    init?(_ reader: inout ObjectReader) {
        let type = reader.choice("type", Kind.self, required: true)
        self.init(type: type ?? .av)
        switch type {
        case .color:
            id = reader.string("id")
            color = reader.color("color")
            duration = reader.time("duration", above: .zero, required: true)
        case .generator:
            id = reader.string("id")
            name = reader.string("name", required: true)
            parameters = reader.pluginParameters()
            duration = reader.time("duration", above: .zero, required: true)
            speed = reader.clipSpeed()
            reverse = reader.bool("reverse")
            readDrawing(&reader, [PicturePlugin.properties(in: "")])
        case .av, .image, nil:
            url = reader.location("url", required: true)
            id = reader.string("id")
            readTiming(&reader, type)
            readSound(&reader, type)
            readPicture(&reader)
        }
        // A clip without type or url is kept. Otherwise the faults of later clips would name wrong indices.
        transition = reader.object("transition") { Transition(&$0) }
    }

    private mutating func readTiming(_ reader: inout ObjectReader, _ type: Kind?) {
        videoStream = reader.streamSelector("videoStream")
        audioStream = reader.streamSelector("audioStream")
        timeRange = reader.object("timeRange") { TimeRange(&$0) }
        durationAtMainTrack = reader.time("durationAtMainTrack", above: .zero)
        duration = reader.time("duration", above: .zero, required: type == .image)
        speed = reader.clipSpeed()
        reverse = reader.bool("reverse")
        frameBlending = reader.bool("frameBlending")
        deinterlace = reader.choice("deinterlace", Deinterlace.self)
        frameRate = reader.rational("frameRate", in: .one...Rational(240)).flatMap(FrameRate.init)
        if frameRate != nil, frameBlending == true {
            reader.report("frameBlending", .conflict, "would show pictures between those of the frameRate; give one of them")
        }
        if type == .av, duration != nil {
            reader.report("duration", .conflict, "belongs to clips of type 'image'; use timeRange or durationAtMainTrack")
        }
        if type == .image {
            reader.refuse(
                [
                    "videoStream", "audioStream", "timeRange", "durationAtMainTrack", "speed", "reverse", "frameBlending",
                    "deinterlace", "frameRate", "volume", "volumeRamps", "muted", "timePitchAlgorithm", "pitch", "pan",
                    "audioFilters",
                ], "does not belong to a clip of type 'image'; leave it out")
        }
    }

    private mutating func readSound(_ reader: inout ObjectReader, _ type: Kind?) {
        volume = reader.double("volume", in: MainTrackClip.volumeProperty.range)
        volumeRamps = reader.volumeRamps()
        muted = reader.bool("muted")
        timePitchAlgorithm = reader.choice("timePitchAlgorithm", TimePitchAlgorithm.self)
        pitch = reader.double("pitch", in: -24...24)
        pan = reader.double("pan", in: MainTrackClip.panProperty.range)
        audioFilters = reader.audioFilters()
    }

    private mutating func readPicture(_ reader: inout ObjectReader) {
        video = reader.bool("video")
        preferredTransform = reader.object("preferredTransform") { PreferredTransform(&$0) }
        cropRect = reader.object("cropRect") { Rect(&$0) }
        scalingMode = reader.choice("scalingMode", ScalingMode.self)
        readDrawing(
            &reader, Rect.properties(ofCrop: cropRect) + (type == .av ? MainTrackClip.soundProperties : []))
    }

    /// Reads what can be said of every clip with a picture.
    /// - Parameter properties: what can be animated besides.
    private mutating func readDrawing(_ reader: inout ObjectReader, _ properties: [AnimatableProperty]) {
        opacity = reader.double("opacity", in: 0...1)
        transform = reader.object("transform") { Transform(&$0) }
        if transform?.fit != nil {
            reader.report("transform.fit", .conflict, "belongs to layers; a clip has its scalingMode")
        }
        filters = reader.operations("filters")
        animations = reader.animations(
            of: [AnimatableProperty(keyPath: "opacity", range: 0...1)] + Transform.properties + properties
                + Filter.properties(filters ?? [], in: "filters"))
        let given = [("opacity", opacity), ("volume", volume), ("pan", pan)].filter { $0.1 != nil }.map(\.0)
        reader.checkAnimated(given: given + (transform?.given ?? []), animations ?? [])
    }
}

extension MainTrackClip {
    /// The animatable property for a clip's volume.
    static let volumeProperty = AnimatableProperty(keyPath: "volume", range: 0...8)
    /// The animatable property for where a clip's sound stands.
    static let panProperty = AnimatableProperty(keyPath: "pan", range: -1...1)
    /// The animatable properties of a sound.
    static let soundProperties = [volumeProperty, panProperty]
}

extension AudioClip {
    init?(_ reader: inout ObjectReader) {
        let url = reader.location("url", required: true)
        self.init(url: url ?? "")
        id = reader.string("id")
        audioStream = reader.streamSelector("audioStream")
        timeRange = reader.object("timeRange") { TimeRange(&$0) }
        startTimeAtMainTrack = reader.time("startTimeAtMainTrack", atLeast: .zero)
        speed = reader.speed()
        volume = reader.double("volume", in: 0...8)
        volumeRamps = reader.volumeRamps()
        fadeIn = reader.time("fadeIn", atLeast: .zero)
        fadeOut = reader.time("fadeOut", atLeast: .zero)
        fadeInCurve = reader.choice("fadeInCurve", FadeCurve.self)
        fadeOutCurve = reader.choice("fadeOutCurve", FadeCurve.self)
        pitch = reader.double("pitch", in: -24...24)
        timePitchAlgorithm = reader.choice("timePitchAlgorithm", TimePitchAlgorithm.self)
        loop = reader.bool("loop")
        duck = reader.ducking("duck")
        pan = reader.double("pan", in: MainTrackClip.panProperty.range)
        audioFilters = reader.audioFilters()
        animations = reader.animations(of: MainTrackClip.soundProperties)
        let given = [("volume", volume), ("pan", pan)].filter { $0.1 != nil }.map(\.0)
        reader.checkAnimated(given: given, animations ?? [])
    }
}

extension VolumeRamp {
    init?(_ reader: inout ObjectReader) {
        let range = reader.object("timeRange", required: true) { TimeRange(&$0) }
        let start = reader.double("startVolume", in: 0...8, required: true)
        let end = reader.double("endVolume", in: 0...8, required: true)
        guard let range, let start, let end else { return nil }
        self.init(timeRange: range, startVolume: start, endVolume: end)
    }
}

extension Transition {
    init?(_ reader: inout ObjectReader) {
        let isTypeGiven = reader.value("type") != nil
        let type = reader.choice("type", TransitionKind.self) ?? (isTypeGiven ? nil : .dissolve)
        let duration = reader.time("duration", above: .zero, required: true)
        let audio = reader.choice("audio", Audio.self)
        let url = reader.location("url", required: type == .lumaMap)
        let softness = reader.double("softness", in: 0...1)
        let inverted = reader.bool("inverted")
        if let type, type != .lumaMap {
            reader.refuse(["url", "softness", "inverted"], "belongs to the transition 'lumaMap'; leave it out")
        }
        let name = reader.string("name", required: type == .externalTransition)
        let parameters = reader.pluginParameters()
        let progress = reader.string("progress")
        if let type, type != .externalTransition {
            reader.refuse(["name", "parameters", "progress"], "belongs to the transition 'externalTransition'; leave it out")
        }
        guard let type, let duration else { return nil }
        self.init(type: type, duration: duration, audio: audio)
        (self.url, self.softness, self.inverted) = (url, softness, inverted)
        (self.name, self.parameters, self.progress) = (name, parameters, progress)
    }
}

extension PreferredTransform {
    init?(_ reader: inout ObjectReader) {
        rotation = reader.quarterTurn("rotation")
        mirrored = reader.bool("mirrored")
    }
}

extension ObjectReader {
    /// Reads an angle in degrees clockwise: 0, 90, 180 or 270.
    mutating func quarterTurn(_ name: String) -> Int? {
        guard let degrees = integer(name, in: 0...270) else { return nil }
        if degrees % 90 != 0 { report(name, .invalidValue, "must be 0, 90, 180 or 270, not \(degrees)") }
        return degrees
    }

    /// Reads a constant speed.
    mutating func speed(required: Bool = false) -> Rational? {
        if case .object = value("speed") {
            report("speed", .conflict, "changes in clips of the main track only; give one number")
            return nil
        }
        return rational("speed", in: speedRange, required: required)
    }

    /// Reads a constant speed or a curve.
    fileprivate mutating func clipSpeed() -> ClipSpeed? {
        guard case .object = value("speed") else { return speed().map(ClipSpeed.constant) }
        return object("speed") { reader in
            KeyedCurve(
                &reader, in: speedRange.lowerBound.doubleValue...speedRange.upperBound.doubleValue, atMost: DraftLimits.speedKeys)
        }.map(ClipSpeed.curve)
    }

    mutating func volumeRamps() -> [VolumeRamp]? {
        guard let ramps = array("volumeRamps", atMost: DraftLimits.keyframes, { VolumeRamp(&$0) }) else { return nil }
        guard count(.keyframes, ramps.count, at: "volumeRamps") else { return nil }
        for (index, pair) in zip(ramps, ramps.dropFirst()).enumerated() where pair.1.timeRange.start < pair.0.timeRange.end {
            report(
                "volumeRamps[\(index + 1)].timeRange", .conflict,
                "starts before the ramp before it ends; shorten that one, or start this one later")
        }
        return ramps
    }

    mutating func refuse(_ names: [String], _ reason: String) {
        for name in names where value(name) != nil { report(name, .conflict, reason) }
    }
}
