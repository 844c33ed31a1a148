import ExactTime
import Vocabulary

/// Predicts what jobs need of their machine, from the job and the facts of its sources alone. The encoders' part is in
/// `EncoderMemory`; docs/decisions/0022-slots-by-memory.md says where the numbers come from, and
/// `benchmarks/demand.sh` compares them with what rendering processes take.
///
/// Wrong predictions change when and where a job runs, and never the bytes that it makes.
package struct DemandPrediction: Sendable {
    private static let megabyte = 1024.0 * 1024

    /// How many pictures of a segment may be composed ahead of its encoder.
    package static let picturesAhead = 3

    /// The program, its libraries and their tables, before any picture.
    private static let process = 64 * megabyte
    /// Fontconfig, Pango or libass with their caches.
    private static let textRendering = 24 * megabyte
    /// The frames that a decoder with one thread holds: eight references or reordered frames at most in nearly all
    /// files, the one that it decodes, and two that the compositor still shows.
    private static let decodedFrames = 11.0
    /// The pictures of films that play backwards which all readers of an instruction keep in memory (`SourceReaders`).
    private static let backwardFrames = 32 * megabyte
    /// A demuxer's entry for each packet of a file.
    private static let indexEntry = 40.0
    /// A picture in 4:2:0 with coverage for luma and chroma, in bytes for each pixel.
    private static let coveredPicture = 2.75
    /// A plug-in's picture in four bytes a pixel: as the compositor has it and as the plug-in's interface wants it.
    private static let pluginPicture = 8.0

    /// The facts of the sources by content hash. A source that is not among them counts as one of the canvas's size.
    private let facts: [String: SourceFacts]

    package init(facts: [String: SourceFacts] = [:]) {
        self.facts = facts
    }

    package func demand(of work: RenderJob) -> JobDemand {
        switch work {
        case .noOp: return JobDemand()
        // Nobody knows yet how large the source is: what a picture of 4K takes to be decoded.
        case .probe: return demand(128 * Self.megabyte)
        case .measure(let segment, _), .video(let segment, _):
            let slice = segment.slice
            let encoders = slice.encode.sizes(ofCanvas: slice.canvas).map {
                EncoderMemory(slice.encode, $0, frames: slice.frameCount)
            }
            return demand(
                encoders.reduce(0) { $0 + $1.bytes } + pictures(slice) + waiting(slice),
                processors: encoders.map(\.threads).max() ?? 1)
        case .explainVideo(let segment, _): return demand(pictures(segment.slice))
        case .picture(let plan, _):
            let largest = plan.sheet.frames.map { pictures($0.instruction, on: $0.canvas) }.max() ?? 0
            return demand(largest + 12 * Self.pixels(plan.sheet.size))
        case .allocation: return demand(8 * Self.megabyte)
        case .audio(let segment, _), .explainAudio(let segment, _): return demand(sounds(segment.slice))
        case .soundtrack(let plan, _, _): return demand((plan.mastering == nil ? 16 : 32) * Self.megabyte)
        case .waveform: return demand(16 * Self.megabyte)
        case .stitch(let plan, _, _, _, _): return demand(stitch(plan))
        }
    }

    /// - Parameter bytes: what the job takes on top of the process itself.
    private func demand(_ bytes: Double, processors: Double = 1) -> JobDemand {
        // Draft limits keep this far below what an integer holds; the bounds are for plans and facts that nobody has checked.
        JobDemand(memory: Int64(min(max(Self.process + bytes, 0), 1e15)), processors: processors)
    }

    /// The pixels of a picture. A size that nobody has checked may be too large for the product to be an integer.
    private static func pixels(_ size: FrameSize) -> Double { Double(size.width) * Double(size.height) }

    // MARK: Pictures

    /// The pictures that have been composed and wait for the encoder.
    private func waiting(_ slice: VideoSlice) -> Double {
        Double(min(slice.frameCount, Self.picturesAhead)) * Self.coveredPicture * Self.pixels(slice.canvas)
            * (slice.encode.color == nil ? 1 : 2)
    }

    private func pictures(_ slice: VideoSlice) -> Double {
        pictures(slice.instruction, on: slice.canvas, samplesOfTwoBytes: slice.encode.color != nil)
    }

    private func pictures(_ instruction: Instruction, on size: FrameSize, samplesOfTwoBytes: Bool = false) -> Double {
        var contents = InstructionContents()
        contents.add(instruction.layers)
        let canvas = Self.pixels(size)
        var bytes = drawing(instruction.layers, on: size) * (samplesOfTwoBytes ? 2 : 1)
        for use in contents.moving { bytes += decoder(of: use.source, canvas) }
        for source in contents.stills { bytes += still(source, canvas) }
        // At least two frames are kept of each film that plays backwards, however large they are, and two more are read from
        // the file of those that were decoded before.
        for use in contents.moving where use.timing.isReversed { bytes += 4 * frame(of: use.source, canvas) }
        if contents.moving.contains(where: \.timing.isReversed) { bytes += Self.backwardFrames }
        return bytes + (contents.hasText ? Self.textRendering : 0)
    }

    private func decoder(of source: String, _ canvas: Double) -> Double {
        let known = facts[source]
        // A drawing that moves: what rlottie makes of the file, and frames in three forms of four bytes a pixel.
        if let video = known?.video, video.isDrawing {
            return 20 * Double(known?.byteCount ?? 0) + Self.decodedFrames * Self.drawing(video, canvas)
        }
        // The decoders of animated pictures read the whole file first, and keep whole canvases in four bytes a pixel.
        let file = known?.video?.isAnimatedPicture == true ? Double(min(known?.byteCount ?? 0, 256 << 20)) : 0
        return Self.decodedFrames * frame(of: source, canvas) + index(of: source) + file
    }

    private func still(_ source: String, _ canvas: Double) -> Double {
        guard let facts = facts[source], let video = facts.video else { return 8 * canvas }
        // A drawing is made as large as it is shown, of at most 2^24 pixels, in three forms of four bytes.
        if video.isDrawing { return Double(facts.byteCount) + Self.drawing(video, canvas) }
        // The file, the decoded picture, and one in the compositor's format.
        return Double(min(facts.byteCount, 256 << 20)) + 2 * 4 * Self.pixels(video.size)
    }

    private static func drawing(_ video: VideoFacts, _ canvas: Double) -> Double {
        16 * min(Double(1 << 24), max(pixels(video.size), 4 * canvas))
    }

    /// The bytes of one decoded frame.
    private func frame(of source: String, _ canvas: Double) -> Double {
        guard let video = facts[source]?.video else { return 1.5 * canvas }
        let name = video.pixelFormat
        let samples =
            name.contains("420") || name.hasPrefix("nv12") ? 1.5 : name.contains("422") ? 2 : name.contains("444") ? 3 : 4
        return Self.pixels(video.size) * samples * ((video.bitsPerSample ?? 8) > 8 ? 2 : 1)
    }

    /// What the demuxer keeps of a file's packets; MP4 files list all of them.
    private func index(of source: String) -> Double {
        guard let facts = facts[source] else { return 0 }
        let sound = facts.audio.map { $0.duration.seconds.doubleValue * Double($0.sampleRate) / 1024 } ?? 0
        return Self.indexEntry * (Double(facts.video?.frameCount ?? 0) + max(0, sound))
    }

    /// What painting a stack takes: its surface and what is kept of its lowest layers, and what its painters keep.
    private func drawing(_ layers: [Layer], on size: FrameSize) -> Double {
        let surface = 2 * Self.coveredPicture * Self.pixels(size)
        return layers.reduce(surface) { $0 + drawing($1, on: size) }
    }

    private func drawing(_ layer: Layer, on size: FrameSize) -> Double {
        let canvas = Self.pixels(size)
        // The picture of this frame and that of the last one.
        var bytes = 2 * Self.coveredPicture * canvas
        // Operations work in 4:4:4 and from one picture into another.
        if layer.operations?.isEmpty == false { bytes += 2 * 4 * canvas }
        // A mixer's two pictures and its result.
        if layer.mixer != nil { bytes += (Self.coveredPicture + 3 * Self.pluginPicture) * canvas }
        if let mask = layer.mask { bytes += drawing(mask.layers, on: mask.size) }
        for transition in layer.transitions ?? [] {
            // The layer's canvas, both pictures of colours and of coverage, and the result.
            bytes += 6 * Self.coveredPicture * canvas + drawing(transition.map?.picture ?? [], on: size)
            if transition.mixer != nil { bytes += 3 * Self.pluginPicture * canvas }
        }
        switch layer.content {
        case .solid: return 0
        case .video(let source, _), .still(let source):
            // A transformed layer is drawn in its own size first.
            guard layer.transform != nil, let own = facts[source]?.video?.size else { return bytes }
            return bytes + 2 * Self.coveredPicture * Self.pixels(own)
        case .text, .shape, .captions, .adjustment: return bytes
        case .generator(let generated):
            return bytes + (2 * Self.coveredPicture + Self.pluginPicture) * Self.pixels(generated.size)
        case .blurred(let inner, _): return bytes + drawing(inner, on: size)
        case .transition(let transition):
            let map = transition.map.map { drawing($0.picture, on: size) + canvas } ?? 0
            let mixer = transition.mixer == nil ? 0 : 3 * Self.pluginPicture * canvas
            return bytes + drawing(transition.from, on: size) + drawing(transition.to, on: size) + map + mixer
        case .group(let layers, let own): return bytes + drawing(layers, on: own)
        }
    }

    // MARK: Sound and films

    /// Mixing works in blocks, so the length does not matter, and each input has a demuxer, a decoder and a resampler.
    private func sounds(_ slice: AudioSlice) -> Double {
        slice.allInputs.reduce(0) { bytes, input in
            bytes + (input.timeStretch == nil ? 3 : 12) * Self.megabyte + index(of: input.source)
        }
    }

    /// A muxer keeps an entry for each packet until the file is complete. libwebp's keeps the pictures themselves. A stream's
    /// fragments are whole in memory, three times while one is written, of 0.4 bits a pixel.
    private func stitch(_ plan: StitchPlan) -> Double {
        let perFrame = plan.container.fileType == .webp ? 64.0 * 1024 : 256
        let copied = (plan.copied?.sources ?? []).reduce(0) { $0 + index(of: $1) }
        let fragment = plan.stream.map { stream in
            Double(min(stream.keyframeSpacing, plan.frameCount)) * (stream.renditions.map(Self.pixels).max() ?? 0) * 0.05
        }
        return 16 * Self.megabyte + perFrame * Double(plan.frameCount) + copied + 3 * (fragment ?? 0)
    }
}

/// What an instruction opens and loads, each thing once, as `SourceReaders` does.
private struct InstructionContents {
    struct Use: Hashable {
        var source: String
        var timing: SourceTiming
    }

    var moving: Set<Use> = []
    var stills: Set<String> = []
    var hasText = false

    mutating func add(_ layers: [Layer]) {
        for layer in layers {
            if let mask = layer.mask { add(mask.layers) }
            for transition in layer.transitions ?? [] { add(transition.map?.picture ?? []) }
            switch layer.content {
            case .solid, .shape, .generator, .adjustment: break
            case .video(let source, let timing): moving.insert(Use(source: source, timing: timing))
            case .still(let source): stills.insert(source)
            case .text, .captions: hasText = true
            case .blurred(let inner, _): add([inner])
            case .group(let layers, _): add(layers)
            case .transition(let transition): add(transition.from + transition.to + (transition.map?.picture ?? []))
            }
        }
    }
}
