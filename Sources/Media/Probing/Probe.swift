import CFFmpeg
import ContentHashing
import ExactTime
package import ExportPlan

/// Finds out the facts about a source that the compiler needs: reads the times of all packets once, decodes the first
/// picture, and hashes the bytes.
package enum Probe {
    /// - Parameter progress: called with the number of packets and megabytes read so far, rising.
    /// - Throws: `MediaError` that says what is wrong with the file.
    package static func facts(ofFile path: String, progress: (Int) -> Void = { _ in }) throws(MediaError) -> SourceFacts {
        try facts(of: try SourceFile(path: path), progress: progress)
    }

    /// Probes one open file, which must stay the same from start to end.
    /// - Parameters:
    ///   - packetLimit: the most packets of the streams that are played.
    ///   - progress: called with the number of packets and megabytes read so far, rising.
    /// - Throws: `MediaError` that says what is wrong with the file; `changed` if it was written to meanwhile.
    package static func facts(
        of file: SourceFile, packetLimit: Int = MediaLimits.packets, progress: (Int) -> Void = { _ in }
    ) throws(MediaError) -> SourceFacts {
        let facts: SourceFacts
        do throws(MediaError) {
            facts = try read(file, packetLimit, progress)
        } catch {
            // A file that is still being written looks damaged in many ways. The error that helps is that it is not
            // complete.
            try file.checkUnchanged()
            throw error
        }
        try file.checkUnchanged()
        return facts
    }

    private static func read(
        _ file: SourceFile, _ packetLimit: Int, _ progress: (Int) -> Void
    ) throws(MediaError) -> SourceFacts {
        let path = file.path
        var steps = 0
        func step() {
            steps += 1
            progress(steps)
        }
        if let complaint = FileKind.complaint(about: path) {
            throw MediaError(.unknownFormat, subject: path, message: complaint)
        }
        let signature = try FileSignature(file)
        switch signature {
        case .heif: return try heifFacts(file, step)
        case .animatedWebP: return try animatedWebPFacts(file, step)
        case .svg: return try svgFacts(file, step)
        case .lottie: return try lottieFacts(file, step)
        case .packedLottie:
            if let hint = try FormatHint.explain(file) { throw MediaError(hint.code, subject: path, message: hint.message) }
        case .heifSequence, .other: break
        }
        let demuxer = try Demuxer(file)
        let limits = MediaLimits(path)
        try limits.check(streamCount: Int(demuxer.context.pointee.nb_streams))
        let videoIndex = demuxer.bestStream(AVMEDIA_TYPE_VIDEO)
        let audioIndex = demuxer.bestStream(AVMEDIA_TYPE_AUDIO)
        guard videoIndex != nil || audioIndex != nil else {
            throw MovieIndex.cut(path)
                ?? MediaError(
                    .noStream, subject: path,
                    message: "has neither picture nor sound that can be decoded; name a file that has one")
        }
        let first = try videoIndex.map { index throws(MediaError) in try firstPicture(demuxer, index) }
        let usual = [videoIndex, audioIndex].compactMap { $0 }
        let others = try OtherStreams(of: demuxer, beside: usual)
        let scan = try PacketScan(file, streams: usual, others: others.indexes, packetLimit: packetLimit, step)
        let sound = try audioIndex.flatMap { index throws(MediaError) in
            try audioFacts(demuxer, index, scan, .zero).flatMap { facts throws(MediaError) in
                try SoundDecoder(facts, file, origin: .zero).startTime()
            }
        }
        let origin = scan.origin(video: videoIndex, sound: sound, demuxer)
        var video: VideoFacts?
        if let videoIndex, let first {
            video = try videoFacts(demuxer, videoIndex, first, scan, origin)
            let isSequence = signature == .heifSequence || isAnimation(demuxer.containerName)
            if isSequence, video?.isStill == false { video?.isAnimatedPicture = true }
        }
        let audio = audioIndex.flatMap { audioFacts(demuxer, $0, scan, origin) }
        try limits.check(duration: video?.duration)
        try limits.check(duration: audio?.duration)
        var facts = SourceFacts(
            contentHash: try file.contentHash(step), byteCount: file.byteCount,
            container: demuxer.containerName.firstOfFamily,
            origin: origin, video: video, audio: audio, identity: file.identity)
        if video?.isStill != true {
            facts.streams = StreamFacts.all(of: demuxer)
            facts.otherVideo = try others.videoFacts(demuxer, scan, origin)
            facts.otherAudio = others.audioFacts(demuxer, scan, origin)
        }
        facts.tags = MediaTags.read(demuxer.context.pointee.metadata)
        return facts
    }

    /// Whether libav's container is a picture format that may be animated.
    private static func isAnimation(_ container: String) -> Bool { ["gif", "apng"].contains(container) }

    /// The first picture that decodes without error, which shows the real size, pixel format, colour and orientation.
    static func firstPicture(_ demuxer: Demuxer, _ index: Int) throws(MediaError) -> VideoFrame {
        guard let stream = demuxer.streamPointer(index) else {
            throw MediaError(.internalFailure, subject: demuxer.path, message: "lost a stream")
        }
        let isImage = demuxer.containerName.hasSuffix("_pipe")
        if isAnimation(demuxer.containerName), let parameters = stream.pointee.codecpar {
            let size = FrameSize(width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
            try PictureLimits.checkAnimation(size, frames: 0, demuxer.path)
        }
        let decoder = try VideoDecoder(stream, path: demuxer.path, isStill: isImage)
        let packet = try Packet()
        LibavLog.begin()
        demuxer.select([index])
        var ended = false
        while true {
            try demuxer.file.checkTime()
            if let frame = try decoder.receive() {
                try PictureLimits.check(frame.size, demuxer.path)
                return frame
            }
            if ended { break }
            if try demuxer.read(into: packet) {
                try decoder.send(packet)
            } else {
                try decoder.send(nil)
                ended = true
            }
        }
        if let hint = try FormatHint.explain(demuxer.file) {
            throw MediaError(hint.code, subject: demuxer.path, message: hint.message)
        }
        let detail = LibavLog.lastLine.map { " (\($0))" } ?? ""
        throw MediaError(
            .damaged, subject: demuxer.path,
            message: "is damaged: its picture cannot be decoded\(detail); copy or export the file again")
    }

    static func videoFacts(
        _ demuxer: Demuxer, _ index: Int, _ first: VideoFrame, _ scan: PacketScan, _ origin: MediaTime
    ) throws(MediaError) -> VideoFacts? {
        let container = demuxer.containerName
        guard let stream = demuxer.streamPointer(index),
            let timing = isAnimation(container)
                ? scan.animationTiming(of: index, stream) : scan.videoTiming(of: index, stream, origin)
        else { return nil }
        let isStill = container.hasSuffix("_pipe") || (isAnimation(container) && timing.frameCount == 1)
        if isAnimation(container) { try PictureLimits.checkAnimation(first.size, frames: timing.frameCount, demuxer.path) }
        let declared = Int(stream.pointee.nb_frames)
        if container.hasPrefix("mov"), declared > 0, scan.packetCount(of: index) < declared {
            throw MediaError(
                .damaged, subject: demuxer.path,
                message: "is cut short: it declares \(declared) frames, but only \(scan.packetCount(of: index)) are in the file")
        }
        let descriptor = av_pix_fmt_desc_get(first.pixelFormat)
        var facts = VideoFacts(
            streamIndex: index, codec: String(cString: avcodec_get_name(stream.pointee.codecpar.pointee.codec_id)),
            size: first.size, orientation: orientation(of: first, stream), sampleAspectRatio: sampleAspect(of: first, stream),
            pixelFormat: descriptor.map { String(cString: $0.pointee.name) } ?? "unknown",
            hasAlpha: (descriptor?.pointee.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0,
            color: colorDescription(of: first), timeBase: stream.pointee.time_base.exact, frameRate: timing.frameRate,
            isVariableFrameRate: timing.isVariable, frameCount: timing.frameCount, duration: timing.duration,
            keyframes: timing.keyframes, isStill: isStill)
        facts.bitsPerSample = descriptor.map { Int($0.pointee.comp.0.depth) }
        facts.chromaLocation = ChromaLocation(first.pointer.pointee.chroma_location)
        facts.hdrMetadata = hdrMetadata(of: first, stream)
        if isStill || isAnimation(container) { facts.apply(profileOf: first) }
        if !isStill, !isAnimation(container) {
            facts.packets = scan.packetFacts(of: index, stream, origin)
            facts.declaredDuration = scan.declaredDuration(of: index, stream, origin)
            facts.interlacing = try FieldSearch.interlacing(of: first, stream, facts, demuxer.file)
        }
        return facts
    }

    static func audioFacts(_ demuxer: Demuxer, _ index: Int, _ scan: PacketScan, _ origin: MediaTime) -> AudioFacts? {
        guard let stream = demuxer.streamPointer(index), let parameters = stream.pointee.codecpar,
            parameters.pointee.sample_rate > 0, parameters.pointee.ch_layout.nb_channels > 0,
            avcodec_find_decoder(parameters.pointee.codec_id) != nil
        else { return nil }
        var facts = AudioFacts(
            streamIndex: index, codec: String(cString: avcodec_get_name(parameters.pointee.codec_id)),
            sampleRate: Int(parameters.pointee.sample_rate), channels: Int(parameters.pointee.ch_layout.nb_channels),
            channelLayout: layoutName(of: parameters.pointee.ch_layout),
            timeBase: stream.pointee.time_base.exact, duration: scan.audioDuration(of: index, stream, origin))
        facts.declaredDuration = scan.declaredDuration(of: index, stream, origin)
        return facts
    }
}

extension AVRational {
    /// The same fraction; zero if the denominator is zero, with which containers say that the value is unknown.
    var exact: Rational { Rational(Int64(num), over: Int64(den)) ?? .zero }
}

extension String {
    /// The first name of a family: `mov` of `mov,mp4,m4a,3gp,3g2,mj2`.
    fileprivate var firstOfFamily: String { split(separator: ",").first.map(String.init) ?? self }
}
