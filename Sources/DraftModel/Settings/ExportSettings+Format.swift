package import Vocabulary

/// Decides file type and codecs, and checks that they fit together.
extension ExportSettings {
    /// The file type: as given, or as preset and codec suggest.
    package var decidedFileType: FileType {
        if let fileType { return fileType }
        if preset == .m4a { return .m4a }
        if preset == .gif { return .gif }
        let usual = videoCodec?.format.usualType ?? .mp4
        return preset?.isProRes == true && usual == .mp4 ? VideoCodec.prores.format.usualType : usual
    }

    /// Whether the film's pictures keep their transparency.
    package var keepsTransparency: Bool { (alpha ?? (preset == .proRes4444)) && decidedFileType.format.hasVideo }

    /// The video codec: as given, or as preset and file type suggest; nil for a file without a picture and for copied
    /// pictures.
    package var decidedVideoCodec: VideoCodec? {
        let container = decidedFileType.format
        guard container.hasVideo, preset != .passthrough else { return nil }
        if let videoCodec { return videoCodec }
        switch preset {
        case .hevc1920x1080, .hevc3840x2160: return .hevc
        case .proRes422, .proRes4444: return .prores
        default: break
        }
        if alpha == true, let codec = container.transparentCodecs.first { return codec }
        let keeping = container.videoCodecs.first { $0.format.tenBitPixels != nil }
        return colorRange == .hdr ? keeping ?? container.videoCodecs.first : container.videoCodecs.first
    }

    /// The audio codec that players expect in the file type; nil for a type without sound.
    package var audioCodec: AudioCodec? { decidedFileType.format.audioCodec }

    func checkFormat(_ reader: inout ObjectReader) {
        checkSound(&reader)
        checkPictures(&reader)
        checkStream(&reader)
        guard preset != .passthrough else { return checkCopying(&reader) }
        let container = decidedFileType.format
        if container.hasVideo, let codec = decidedVideoCodec, !container.videoCodecs.contains(codec) {
            let place = videoCodec != nil ? "videoCodec" : fileType != nil ? "fileType" : "preset"
            let names = container.videoCodecs.map(\.rawValue).joined(separator: ", ")
            reader.report(place, .conflict, "a \(container.type) file cannot hold \(codec.rawValue); it can hold \(names)")
        }
        if !container.hasVideo, let videoCodec {
            reader.report(
                "videoCodec", .conflict,
                "\(videoCodec.rawValue) does not go into a \(container.type) file: \(container.lackOfVideo)")
        }
        checkRate(&reader)
        checkEncoder(&reader)
        checkColors(&reader)
        checkTransparency(&reader)
    }

    private func checkPictures(_ reader: inout ObjectReader) {
        let container = decidedFileType.format
        let settings = [("posterTime", posterTime != nil), ("spriteInterval", spriteInterval != nil)]
        for (name, isSet) in settings where isSet && !container.hasVideo {
            reader.report(name, .conflict, "is not supported: \(container.lackOfVideo)")
        }
        for (name, isSet) in settings where isSet && container.content == .sequence {
            reader.report(name, .conflict, "is not supported: the files of the export are pictures already; leave it out")
        }
        if spriteWidth != nil, spriteInterval == nil {
            reader.report("spriteWidth", .conflict, "is the width of sprites, and there are none; give a spriteInterval")
        }
    }

    private func checkCopying(_ reader: inout ObjectReader) {
        let settings = [
            ("videoCodec", videoCodec != nil), ("videoQuality", videoQuality != nil), ("videoBitrate", videoBitrate != nil),
            ("encoderSpeed", encoderSpeed != nil), ("maxKeyframeInterval", maxKeyframeInterval != nil),
            ("colorRange", colorRange != nil), ("profile", profile != nil), ("level", level != nil), ("alpha", alpha != nil),
            ("fileSizeLimit", fileSizeLimit != nil),
        ]
        for (name, isSet) in settings where isSet {
            reader.report(name, .conflict, "is not supported with passthrough, which copies the pictures unchanged; leave it out")
        }
        if decidedFileType.format.copiedCodecs.isEmpty {
            let names = FormatCatalogue.names { !$0.copiedCodecs.isEmpty }
            reader.report("fileType", .conflict, "must be \(names) for passthrough, which copies the pictures of films")
        }
    }

    private func checkRate(_ reader: inout ObjectReader) {
        let settings = [
            ("videoQuality", videoQuality != nil), ("videoBitrate", videoBitrate != nil), ("fileSizeLimit", fileSizeLimit != nil),
        ].filter(\.1).map(\.0)
        let container = decidedFileType.format
        guard let codec = decidedVideoCodec?.format else {
            for name in settings + (colorRange == nil ? [] : ["colorRange"]) {
                reader.report(name, .conflict, "is not supported: \(container.lackOfVideo)")
            }
            if profile != nil { reader.report("profile", .conflict, "belongs to h264, and \(container.lackOfVideo)") }
            if level != nil { reader.report("level", .conflict, "belongs to h264 and hevc, and \(container.lackOfVideo)") }
            return
        }
        if codec.quality == nil {
            for name in settings { reader.report(name, .conflict, "is not supported with \(codec.name); leave it out") }
        } else if codec.bitrate == nil, let rate = settings.last, rate != "videoQuality" {
            reader.report(rate, .conflict, "is not supported with \(codec.name); give a videoQuality")
        } else if let last = settings.last, settings.count > 1 {
            reader.report(last, .conflict, "is decided by \(settings[0]) already; give one of them")
        }
        if case .factor(let quality)? = videoQuality, let worst = codec.quality?.worst, quality > worst {
            reader.report(
                "videoQuality", .outOfRange, "must be 0...\(Int(worst)) for \(codec.codec.rawValue), not \(quality.shortText)")
        }
        if let profile, !codec.profiles.contains(profile) {
            reader.report(
                "profile", .conflict, "belongs to h264, and the film's codec is \(codec.codec.rawValue); leave it out")
        }
    }

    /// Refuses settings that would change nothing.
    private func checkEncoder(_ reader: inout ObjectReader) {
        let codec = decidedVideoCodec?.format
        let reason = codec.map { "with \($0.name)" } ?? decidedFileType.format.lackOfVideo
        if encoderSpeed != nil, codec?.hasSpeeds != true {
            reader.report(
                "encoderSpeed", .conflict,
                codec == nil
                    ? "is not supported: \(reason)" : "is not supported \(reason), whose encoder has one speed; leave it out")
        }
        if maxKeyframeInterval != nil, codec?.hasKeyframes != true {
            reader.report(
                "maxKeyframeInterval", .conflict,
                codec == nil
                    ? "is not supported: \(reason)" : "is not supported \(reason), which has no keyframes; leave it out")
        }
    }

    private func checkColors(_ reader: inout ObjectReader) {
        if let colorRange, [.bt601, .displayP3].contains(colorRange), let codec = decidedVideoCodec?.format, !codec.hasColorTags {
            reader.report(
                "colorRange", .conflict,
                "\(colorRange.rawValue) is not supported with \(codec.name), which cannot say so; leave it out")
        }
        guard colorRange == .hdr, let codec = decidedVideoCodec, codec.format.tenBitPixels == nil else { return }
        let type = decidedFileType
        let names = type.format.videoCodecs.filter { $0.format.tenBitPixels != nil }.map(\.rawValue).joined(separator: ", ")
        let others = FormatCatalogue.names { container in
            container.content != .stream && container.videoCodecs.contains { $0.format.tenBitPixels != nil }
        }
        reader.report(
            "colorRange", .conflict,
            "hdr needs 10 bits, and \(codec.rawValue) has 8; "
                + (names.isEmpty ? "write \(others)" : "a \(type) file can hold \(names)"))
    }

    private func checkSound(_ reader: inout ObjectReader) {
        guard let codec = audioCodec?.format else {
            let container = decidedFileType.format
            let settings = [
                ("audioBitrate", audioBitrate != nil), ("sampleRate", sampleRate != nil), ("channels", channels != nil),
            ]
            for (name, isSet) in settings where isSet {
                reader.report(
                    name, .conflict, "is not supported: the \(container.name) format has no sound")
            }
            return
        }
        if let sampleRate, let rates = codec.sampleRates, !rates.contains(sampleRate) {
            let names = rates.map(String.init).joined(separator: ", ")
            reader.report("sampleRate", .invalidValue, "\(sampleRate) is not a rate of \(codec.name): \(names)")
        }
        if let channels, channels > codec.maxChannels {
            reader.report("channels", .conflict, "\(codec.name) has at most \(codec.maxChannels) channels")
        }
    }
}

extension ExportSettings.Preset {
    fileprivate var isProRes: Bool { self == .proRes422 || self == .proRes4444 }
}

extension ContainerFormat {
    var lackOfVideo: String { "the \(name) format has no video" }
}
