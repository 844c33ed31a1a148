import ExactTime
import ExportPlan
import Vocabulary

/// A segment's program for people: one line a layer, from the lowest up, what a layer is made of below it and further in.
struct ProgramText {
    /// Names of the sources, by content hash.
    let names: [String: String]

    func lines(of program: SegmentProgram) -> [String] {
        let frames = program.frames.map(String.init).joined(separator: ", ")
        return program.moments.flatMap { moment in
            ["frame \(moment.frame)"] + indented(lines(of: moment.stack, "the encoder"))
        }
            + (program.moments.count < program.frames.count
                ? ["looked at: \(frames); those not named above are made like the one before"] : [])
    }

    /// - Parameter receiver: who takes the stack's picture.
    private func lines(of stack: StackProgram, _ receiver: String) -> [String] {
        var lines: [String] = []
        if stack.hiddenLayers > 0 { lines.append("\(count(stack.hiddenLayers, "layer")) below not drawn: hidden") }
        for (index, layer) in stack.layers.enumerated() {
            lines += self.lines(of: layer, receiver)
            if index + 1 == stack.keptLayers, stack.keptLayers > 0 {
                lines.append(
                    index == 0
                        ? "= kept: drawn once"
                        : "= kept: these \(index + 1) layers are joined once\(index + 1 < stack.layers.count ? ", and copied for each frame" : "")"
                )
            }
        }
        if stack.layers.isEmpty { lines.append("nothing is drawn") }
        return lines
    }

    private func lines(of layer: LayerProgram, _ receiver: String) -> [String] {
        var parts = [layer.reading.map(text)]
        parts.append(layer.operations.flatMap(text))
        parts.append(layer.placing.map { placed(by: $0, hasReading: layer.reading != nil) })
        if layer.content != .adjustment, layer.joining != .unseen { parts.append(text(layer.repetition)) }
        parts.append(text(layer.joining, receiver))
        var lines = [title(layer.content) + ": " + parts.compactMap { $0 }.joined(separator: "; ")]
        switch layer.content {
        case .solid, .video, .still, .text, .shape, .captions, .adjustment: break
        case .blurred(let inner, _, _): lines += indented(self.lines(of: inner, "the blur"))
        case .group(let stack): lines += indented(self.lines(of: stack, "the group's layer"))
        case .transition(_, let from, let to):
            lines += indented(["from"] + indented(self.lines(of: from, "the transition")))
            lines += indented(["to"] + indented(self.lines(of: to, "the transition")))
        }
        if let mask = layer.mask {
            lines += indented([text(mask)] + indented(self.lines(of: mask.stack, "the mask")))
        }
        return lines
    }

    private func title(_ content: LayerProgram.Content) -> String {
        switch content {
        case .solid(let color): "colour \(color.hexadecimal)"
        case .video(let source): "video \(name(source))"
        case .still(let source): "picture \(name(source))"
        case .text(let text): "text '\(text.shortened)'"
        case .shape: "shape"
        case .captions(let source): "captions \(name(source))"
        case .blurred(_, let size, let deviation): "blur of \(deviation.rounded(to: 100)) pixels at \(size)"
        case .transition(let kind, _, _): "transition \(kind.rawValue)"
        case .group(let stack): "group of \(stack.size)"
        case .adjustment: "adjustment"
        }
    }

    private func text(_ reading: SourceReading) -> String {
        var stored = reading.size
        if reading.orientation.swapsAxes { stored = FrameSize(width: stored.height, height: stored.width) }
        let part = reading.region == .whole ? "\(reading.storedSize)" : "a part of \(reading.storedSize)"
        let change =
            reading.region == .whole && reading.storedSize == stored ? "converted at \(stored)" : "\(part) scaled to \(stored)"
        let way =
            switch reading.way {
            case .decoded: "the decoder's own frame"
            case .scaled where reading.keepsColors == true: "\(change) by libswscale, 10 bits in its own colours"
            case .scaled: "\(change) by libswscale, 4:2:0"
            case .gamutMapped: "\(change) by libswscale in 10-bit 4:4:4, wide colours mapped onto BT.709"
            case .premultiplied: "\(change) by libswscale as premultiplied RGBA, then 4:2:0 and alpha"
            }
        let mixed = reading.mixesFrames == true ? ", mixed with the next one" : ""
        guard reading.orientation != .upright else { return way + mixed }
        let mirrored = reading.orientation.mirrored ? "mirrored, " : ""
        return way + ", \(mirrored)turned by \(reading.orientation.quarterTurns * 90) degrees" + mixed
    }

    /// Nil where there is nothing to be said.
    private func text(_ operations: OperationProgram) -> String? {
        let passes = operations.passes.map { pass in
            pass.operations.count > 1 ? "\(pass.operations.joined(separator: "+")) in one pass" : pass.operations.joined()
        }.joined(separator: ", then ")
        var parts: [String] = []
        switch operations.space {
        case .untouched: break
        case .planes: parts.append("\(passes) on the planes of 4:2:0")
        case .rowsOfRGB: parts.append("\(passes) on float RGB, two rows at a time")
        case .pictureOfRGB: parts.append("\(passes) on a whole picture of float RGB")
        }
        if !operations.neutral.isEmpty {
            parts.append("left out: \(operations.neutral.joined(separator: ", ")), which would change nothing")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private func text(_ mask: MaskProgram) -> String {
        var words = ["mask by \(mask.channel.rawValue)"]
        if mask.isInverted { words.append("inverted") }
        switch mask.feather {
        case nil: words.append("feather moves")
        case 0?: break
        case let deviation?: words.append("feather \(deviation.rounded(to: 100))")
        }
        words.append(mask.isKept ? "drawn once" : "drawn for every frame")
        return words.joined(separator: ", ")
    }

    private func placed(by placing: PlacingProgram, hasReading: Bool) -> String {
        let way =
            switch placing.way {
            case .asItIs: "put down as it is"
            case .alongAxes: "scaled along its axes"
            case .quarterTurn: "turned by a quarter, scaled along its axes"
            case .interpolated: "turned, interpolated"
            case .shrunkAndInterpolated: "shrunk along its axes, then turned, interpolated"
            case .perspective: "in perspective, averaged over what each sample sees"
            }
        return "\(hasReading ? "" : "\(placing.size) ")\(way)\(placing.isMoving ? ", moving" : "")"
    }

    private func text(_ repetition: LayerProgram.Repetition) -> String {
        switch repetition {
        case .once: "drawn once"
        case .whenSourceChanges: "drawn when its source changes"
        case .everyFrame: "drawn for every frame"
        }
    }

    private func text(_ joining: LayerProgram.Joining, _ receiver: String) -> String {
        switch joining {
        case .handedOn: return "covers everything, handed on to \(receiver) untouched"
        case .ground: return "covers everything, copied as the ground"
        case .unseen: return "nothing to be seen"
        case .adjusts(let mode, let opacity): return "changes what is below\(strength(mode, opacity))"
        case .blended(let rect, let mode, let opacity, let isOpaque):
            let place = "\(rect.size) at (\(rect.x), \(rect.y))"
            if isOpaque, mode == .normal, opacity == 1 { return "copied into \(place)" }
            return "blended into \(place)\(isOpaque ? "" : " by its alpha")\(strength(mode, opacity))"
        }
    }

    private func strength(_ mode: BlendMode, _ opacity: Double?) -> String {
        var text = mode == .normal ? "" : " by \(mode.rawValue)"
        if let opacity { text += opacity == 1 ? "" : ", opacity \(opacity.rounded(to: 1000))" } else { text += ", opacity moves" }
        return text
    }

    private func name(_ source: String) -> String { names[source] ?? String(source.prefix(12)) }

    private func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    func indented(_ lines: [String]) -> [String] { lines.map { "  " + $0 } }
}

/// A sound segment's inputs, one line each.
extension ProgramText {
    func lines(of program: SoundProgram) -> [String] {
        if program.inputs.isEmpty { return ["silence"] }
        return program.inputs.map { input in
            let samples = input.firstSample..<(input.firstSample + input.sampleCount)
            var parts = [way(input.voice)] + input.gains.compactMap(text)
            if let duck = input.duck { parts.append("gain \(duck.gain.rounded(to: 1000)) while the main track is heard") }
            return "sound \(name(input.source)), samples \(samples): \(parts.joined(separator: "; "))"
        }
    }

    private func way(_ voice: VoiceProgram) -> String {
        var parts = [
            voice.isResampled ? "resampled, \(voice.sourceSamplesPerOutput) samples of it for each" : "its samples as they are"
        ]
        if voice.reversed { parts.append("backwards") }
        if let bend = voice.bend { parts.append("at \(bend.count) speeds, its pitch with them") }
        if let stretch = voice.stretch {
            let pitch = stretch.pitch == 0 ? "at its pitch" : "by \(stretch.pitch.rounded(to: 100)) semitones"
            let way = stretch.legs.map { "by \($0.count) speeds, " } ?? ""
            parts.append("\(stretch.sourceSampleCount) samples stretched \(way)\(pitch)")
        }
        return parts.joined(separator: ", ")
    }

    /// Nil for one that changes nothing.
    private func text(_ curve: GainCurve) -> String? {
        let gains = curve.points.map { "\($0.gain.rounded(to: 1000))" }
        if gains.count == 1 { return curve.points[0].gain == 1 ? nil : "gain \(gains[0])" }
        return "gain \(gains.joined(separator: " to "))\(curve.shape == .tri ? "" : ", \(curve.shape.rawValue)")"
    }
}

extension RGBAColor {
    fileprivate var hexadecimal: String {
        let channels = [red, green, blue] + (alpha == 255 ? [] : [alpha])
        return "#" + channels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension String {
    /// The first line, as far as it is short.
    fileprivate var shortened: String {
        let line = split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
        return line.count > 24 || line.count < count ? line.prefix(24) + "..." : line
    }
}

extension Double {
    /// To a fraction of one, without the decimals of a whole number.
    fileprivate func rounded(to parts: Double) -> String {
        let value = (self * parts).rounded() / parts
        return value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
    }
}
