import ExactTime
import Vocabulary

/// Reads layers and their sources.
extension DraftLayer {
    init?(_ reader: inout ObjectReader) {
        guard reader.count(.layers) else {
            reader.ignoreTheRest()
            return nil
        }
        let id = reader.string("id")
        let timeRange = reader.object("timeRange", required: true) { TimeRange(&$0) }
        self.init(timeRange: timeRange ?? TimeRange(start: .zero, duration: MediaTime(seconds: 1)))
        self.id = id
        layerLevel = reader.integer("layerLevel", in: -1_000_000...1_000_000)
        source = reader.object("source") { LayerSource(&$0) }
        let hasSource = reader.value("source") != nil
        transform = reader.object("transform") { Transform(&$0) }
        cropRect = reader.object("cropRect") { Rect(&$0) }
        opacity = reader.double("opacity", in: 0...1)
        video = reader.bool("video")
        blendMode = reader.layerBlendMode("blendMode")
        operations = reader.operations("operations")
        audio = reader.object("audio") { LayerAudio(&$0) }
        audioFilters = reader.audioFilters()
        transitionIn = reader.object("transitionIn") { Transition(&$0) }
        transitionOut = reader.object("transitionOut") { Transition(&$0) }
        mask = reader.nested("mask") { reader in reader.object("mask") { DraftMask(&$0) } }
        var numbers = AnimatedNumbers()
        if hasSource { numbers.add(source, reader.value("source"), at: "source") }
        if let mask { numbers.add(mask.source, reader.value("mask")?.member("source"), at: "mask.source") }
        animations = reader.animations(
            of: [AnimatableProperty(keyPath: "opacity", range: 0...1)]
                + (hasSource ? Transform.properties + sourceProperties + (transform?.fit?.properties ?? []) : [])
                + (mask?.properties ?? []) + numbers.properties
                + (blendMode?.mixer == nil ? [] : [PicturePlugin.properties(in: "blendMode")])
                + Filter.properties(operations ?? [], in: "operations"))
        if let text = source?.text, text.fitBox == true, text.box?.width == nil, text.box?.height == nil,
            animations?.contains(where: { $0.keyPath.hasPrefix("source.box.") }) != true
        {
            reader.report("source.fitBox", .conflict, "makes the text fit into a box with a width or a height; give it one")
        }
        if let type = source?.type, type != .video, type != .group { reader.refuse(["audio", "audioFilters"], type.soundRemedy) }
        if source?.type == .group { reader.refuse(audio) }
        if !hasSource || source.map({ $0.type != .video && $0.type != .group }) == true {
            for (name, transition) in transitions where transition.audio != nil {
                reader.report(
                    "\(name).audio", .conflict, "joins the sound of videos and groups; this layer has none; leave it out")
            }
        }
        if !hasSource {
            reader.refuse(
                ["transform", "cropRect", "audio", "audioFilters"],
                "does not belong to an adjustment layer; leave it out, or give a source")
        }
        if mask != nil, animations?.contains(where: { $0.keyPath.hasPrefix("cropRect.") }) == true {
            reader.report(
                "mask", .conflict, "cannot be combined with a crop that moves; put the layer into a group and mask the group")
        }
        let given = [
            ("opacity", opacity), ("audio.volume", audio?.volume), ("audio.pan", audio?.pan),
        ].filter { $0.1 != nil }.map(\.0)
        reader.checkAnimated(given: given + (transform?.given ?? []) + (mask?.given ?? []) + numbers.given, animations ?? [])
    }
}

extension DraftLayer {
    /// The layer's transitions with the names of their fields.
    package var transitions: [(name: String, transition: Transition)] {
        [("transitionIn", transitionIn), ("transitionOut", transitionOut)].compactMap { name, transition in
            transition.map { (name, $0) }
        }
    }
}

extension LayerSource.Kind {
    /// Why a layer of this type cannot have `audio`, and the remedy.
    fileprivate var soundRemedy: String {
        "belongs to layers of type 'video' and 'group'; a layer of type '\(rawValue)' has no sound; leave it out"
    }
}

extension ObjectReader {
    /// Reports what the sound of a group does not have, because several sounds are in it.
    fileprivate func refuse(_ audio: LayerAudio?) {
        for (name, isGiven) in [("pitch", audio?.pitch != nil), ("timePitchAlgorithm", audio?.timePitchAlgorithm != nil)]
        where isGiven {
            report("audio.\(name)", .conflict, "belongs to layers of type 'video'; give it to the videos in the group")
        }
    }
}

extension DraftLayer {
    /// The properties that may be animated for this type of source. If the source could not be read, all of them are
    /// allowed.
    fileprivate var sourceProperties: [AnimatableProperty] {
        let type = source?.type
        var properties: [AnimatableProperty] = []
        if type == nil || type == .video || type == .image { properties += Rect.properties(ofCrop: cropRect) }
        if type == nil || type == .video || type == .group { properties += [LayerAudio.volumeProperty, LayerAudio.panProperty] }
        return properties
    }
}

extension LayerSource {
    init?(_ reader: inout ObjectReader) {
        guard let type = reader.kind("type", Kind.self, of: "source", later: []) else { return nil }
        // Each type reads only its own fields, so the fields of other types are reported as unknown.
        self.init(type: type)
        switch type {
        case .video:
            url = reader.location("url", required: true)
            videoStream = reader.streamSelector("videoStream")
            audioStream = reader.streamSelector("audioStream")
            timeRange = reader.object("timeRange") { TimeRange(&$0) }
            speed = reader.speed()
            reverse = reader.bool("reverse")
            loop = reader.bool("loop")
            deinterlace = reader.choice("deinterlace", Deinterlace.self)
        case .image:
            url = reader.location("url", required: true)
        case .text:
            text = TextStyle(&reader)
        case .captions:
            url = reader.location("url", required: true)
            style = reader.object("style") { CaptionStyle(&$0) }
            burnIn = reader.bool("burnIn")
            subtitleTrack = reader.object("subtitleTrack") { SubtitleTrackStyle(&$0) }
            if burnIn == false, subtitleTrack == nil {
                reader.report("burnIn", .conflict, "would show the captions nowhere; give a subtitleTrack")
            }
        case .shape:
            shape = ShapeStyle(&reader)
        case .solid:
            color = reader.color("color", required: reader.value("gradient") == nil)
            gradient = reader.gradient(insteadOf: "color")
            size = reader.object("size") { PixelSize(&$0) }
        case .generator:
            generator = PicturePlugin(&reader)
            size = reader.object("size") { PixelSize(&$0) }
            speed = reader.speed()
            reverse = reader.bool("reverse")
        case .group:
            size = reader.object("size") { PixelSize(&$0) }
            layers = reader.nested("layers") { reader in
                reader.array("layers", required: true, atMost: DraftLimits.layers) { DraftLayer(&$0) }
            }
        }
    }
}

extension LayerAudio {
    /// The animatable property for a layer's volume.
    static let volumeProperty = AnimatableProperty(keyPath: "audio.volume", range: 0...8)

    /// The animatable property for where a layer's sound stands.
    static let panProperty = AnimatableProperty(keyPath: "audio.pan", range: -1...1)

    init?(_ reader: inout ObjectReader) {
        self.init(
            volume: reader.double("volume", in: LayerAudio.volumeProperty.range), volumeRamps: reader.volumeRamps(),
            pitch: reader.double("pitch", in: -24...24))
        pan = reader.double("pan", in: LayerAudio.panProperty.range)
        muted = reader.bool("muted")
        timePitchAlgorithm = reader.choice("timePitchAlgorithm", TimePitchAlgorithm.self)
    }
}

extension ObjectReader {
    /// Reports properties that have both a constant and an animated value, and animations that exclude each other.
    func checkAnimated(given: [String], _ animations: [Animation]) {
        for name in given where animations.contains(where: { name == $0.keyPath || name.hasPrefix($0.keyPath + ".") }) {
            report(name, .conflict, "is animated; give it either here or in animations")
        }
        let paths = animations.map(\.keyPath)
        for owner in ["transform.", "mask.transform."] {
            let moved = (paths + given).filter { $0.hasPrefix(owner) }
            guard moved.contains(where: { $0.hasPrefix(owner + "corners.") }) else { continue }
            guard let other = moved.first(where: { !$0.hasPrefix(owner + "corners.") }) else { continue }
            report("animations", .conflict, "'\(other)' cannot be combined with corners, which place the whole picture")
        }
        for both in ["transform.scale", "mask.transform.scale"] where paths.contains(both) {
            guard let axis = paths.first(where: { $0.hasPrefix(both + ".") }) else { continue }
            report("animations", .conflict, "'\(both)' and '\(axis)' are both animated; animate the axes or both at once")
        }
    }
}

extension Filter {
    /// The parameters of operations, as key paths. Every name is allowed here; the compiler checks it against the
    /// catalogue of operations.
    static func properties(_ filters: [Filter], in list: String) -> [AnimatableProperty] {
        filters.enumerated().map { index, filter in
            let place = "\(list)[\(index)]" + (filter.external == nil ? "" : ".parameters")
            return AnimatableProperty(keyPath: "\(place).*", range: -1e9...1e9)
        }
    }
}

extension PicturePlugin {
    /// The parameters of a plug-in, as key paths. Every name is allowed here; the compiler checks it against the
    /// plug-in's declaration.
    /// - Parameter owner: the key path of the object that calls the plug-in; empty for the clip itself.
    static func properties(in owner: String) -> AnimatableProperty {
        AnimatableProperty(keyPath: (owner.isEmpty ? "" : owner + ".") + "parameters.*", range: -1e9...1e9)
    }
}

extension ObjectReader {
    /// Reads the operations of a clip, a layer or a recording.
    mutating func operations(_ name: String) -> [Filter]? {
        guard let operations = array(name, atMost: DraftLimits.operations, { Filter(&$0) }),
            count(.operations, operations.count, at: name)
        else { return nil }
        return operations
    }
}
