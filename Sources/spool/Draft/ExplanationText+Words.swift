import ExactTime
import ExportPlan
import Vocabulary

extension ExplanationText {
    /// A decision in words.
    enum Clause {
        /// The words belong to what was said before.
        case continued(String)
        case separate(String)
    }

    func title(_ subject: Explanation.Subject) -> String {
        switch subject {
        case .pictures: "pictures"
        case .frame(let number): "frame \(number)"
        case .stack(let size): "stack of \(size)"
        case .solid(let color): "colour \(color.hexadecimal)"
        case .video(let source): "video \(name(source))"
        case .still(let source): "picture \(name(source))"
        case .text(let text): "text '\(text.shortened)'"
        case .shape: "shape"
        case .captions(let source): "captions \(name(source))"
        case .generator(let plugin): "generator \(plugin)"
        case .blurred: "blur"
        case .transition(let kind): "transition \(kind.rawValue)"
        case .group(let size): "group of \(size)"
        case .adjustment: "adjustment"
        case .mask(let channel, let isInverted, let feather):
            "mask by \(channel.rawValue)\(isInverted ? ", inverted" : "")"
                + (feather.map { $0 == 0 ? "" : ", feather \($0.rounded(to: 100))" } ?? ", animated feather")
        case .sounds: "sounds"
        case .sound(let source, let first, let count): "sound \(name(source)), samples \(first..<(first + count))"
        case .soundGroup(let first, let count): "group of sounds, samples \(first..<(first + count))"
        }
    }

    /// - Parameters:
    ///   - isRead: whether another clause names the size of the picture.
    ///   - receiver: what takes a picture that is passed through.
    /// - Returns: nil if there is nothing to say.
    func clause(_ decision: Explanation.Decision, isRead: Bool, for receiver: String) -> Clause? {
        switch decision {
        case .reading(let method, let storedSize, let region, let orientation, let size):
            return .separate(reading(method, storedSize, region, orientation, size))
        case .mixing: return .continued(", mixed with the next one")
        case .blur(let size, let deviation): return .continued(" of \(deviation.rounded(to: 100)) pixels at \(size)")
        case .operations(let space, let passes, let neutral, _):
            return operations(space, passes, neutral).map { .separate($0) }
        case .placement(let method, let size, let isMoving):
            return .separate("\(isRead ? "" : "\(size) ")\(words(method))\(isMoving ? ", moving" : "")")
        case .plugin(let name, let size): return .separate("drawn by the plug-in \(name) at \(size)")
        case .stacking: return nil
        case .layerTransition(let kind, let direction):
            return .separate("\(direction == .entering ? "appears" : "disappears") by \(kind.rawValue)")
        case .repetition(let repetition): return .separate(words(repetition))
        case .compositing(let compositing): return .separate(words(compositing, for: receiver))
        case .resampling(let ratio):
            return .separate(ratio == .one ? "its samples unchanged" : "resampled, \(ratio) samples of it for each")
        case .reversal: return .continued(", backwards")
        case .varispeed(let ranges): return .continued(", at \(ranges.count) speeds, its pitch with them")
        case .timeStretch(let timeStretch): return .continued(", " + words(timeStretch))
        case .filter(let kind): return .separate("filtered by \(kind.rawValue)")
        case .soundPlugin(let name): return .separate("filtered by the plug-in \(name)")
        case .pan(let curve):
            let places = curve.points.map { ($0.gain - 1).rounded(to: 100) }
            return .separate(
                places.count == 1 ? "pan \(places[0])" : "pan moving from \(places[0]) to \(places[places.count - 1])")
        case .gain(let curve): return words(curve).map { .separate($0) }
        case .duck(let duck): return .separate("gain \(duck.gain.rounded(to: 1000)) while the main track is heard")
        }
    }

    private func name(_ source: String) -> String { names.name(ofSource: source) ?? String(source.prefix(12)) }

    private func reading(
        _ method: Explanation.ReadingMethod, _ storedSize: FrameSize, _ region: Region, _ orientation: Orientation,
        _ size: FrameSize
    ) -> String {
        let scaled = orientation.swapsAxes ? FrameSize(width: size.height, height: size.width) : size
        let isWhole = region == .whole
        let change =
            isWhole && storedSize == scaled
            ? "converted at \(scaled)" : "\(isWhole ? "" : "a part of ")\(storedSize) scaled to \(scaled)"
        let words =
            switch method {
            case .decoded: "the decoder's own frame"
            case .scaled: "\(change) by libswscale, 4:2:0"
            case .scaledInOwnColors: "\(change) by libswscale, 10 bits in its own colours"
            case .gamutMapped: "\(change) by libswscale in 10-bit 4:4:4, colours mapped onto those of the film"
            case .premultiplied: "\(change) by libswscale as premultiplied RGBA, then 4:2:0 and alpha"
            }
        guard orientation != .upright else { return words }
        return words + ", \(orientation.mirrored ? "mirrored, " : "")rotated by \(orientation.quarterTurns * 90) degrees"
    }

    private func operations(
        _ space: Explanation.OperationSpace, _ passes: [Explanation.Pass], _ neutral: [String]
    ) -> String? {
        let steps = passes.map { pass in
            pass.operations.joined(separator: "+") + (pass.operations.count > 1 ? " in one pass" : "")
        }.joined(separator: ", then ")
        let run: String? =
            switch space {
            case .untouched: nil
            case .planes: "\(steps) on the planes of 4:2:0"
            case .rowsOfRGB: "\(steps) on float RGB, two rows at a time"
            case .pictureOfRGB: "\(steps) on a whole picture of float RGB"
            }
        let left = neutral.isEmpty ? nil : "left out: \(neutral.joined(separator: ", ")), which would change nothing"
        let parts = [run, left].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private func words(_ method: Explanation.PlacementMethod) -> String {
        switch method {
        case .asItIs: "copied unscaled"
        case .alongAxes: "scaled along its axes"
        case .quarterTurn: "rotated by a quarter, scaled along its axes"
        case .interpolated: "rotated, interpolated"
        case .shrunkAndInterpolated: "shrunk along its axes, then rotated, interpolated"
        case .perspective: "in perspective, averaged over what each sample sees"
        }
    }

    private func words(_ repetition: Explanation.Repetition) -> String {
        switch repetition {
        case .once: "drawn once"
        case .whenSourceChanges: "drawn when its source changes"
        case .everyFrame: "drawn for every frame"
        }
    }

    private func words(_ compositing: Explanation.Compositing, for receiver: String) -> String {
        switch compositing {
        case .passedThrough: return "covers the whole frame, passed through to \(receiver) unchanged"
        case .background: return "covers the whole frame, copied as the background"
        case .hidden: return "invisible"
        case .mixed(let plugin, let opacity):
            return "mixed with what is below by the plug-in \(plugin)\(strength(.normal, opacity))"
        case .adjusts(let mode, let opacity): return "changes what is below\(strength(mode, opacity))"
        case .blended(let rect, let mode, let opacity, let isOpaque):
            let place = "\(rect.size) at (\(rect.x), \(rect.y))"
            if isOpaque, mode == .normal, opacity == 1 { return "copied into \(place)" }
            return "blended into \(place)\(isOpaque ? "" : " by its alpha")\(strength(mode, opacity))"
        }
    }

    private func strength(_ mode: BlendMode, _ opacity: Double?) -> String {
        let words = mode == .normal ? "" : " by \(mode.rawValue)"
        guard let opacity else { return words + ", animated opacity" }
        return words + (opacity == 1 ? "" : ", opacity \(opacity.rounded(to: 1000))")
    }

    private func words(_ timeStretch: AudioSliceInput.TimeStretch) -> String {
        let pitch = timeStretch.pitch == 0 ? "at its pitch" : "by \(timeStretch.pitch.rounded(to: 100)) semitones"
        let speeds = timeStretch.speedRanges.map { "by \($0.count) speeds, " } ?? ""
        return "\(timeStretch.sourceSampleCount) samples stretched \(speeds)\(pitch)"
    }

    /// Nil for a gain that changes nothing.
    private func words(_ curve: GainCurve) -> String? {
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
    /// The first line, shortened when it is long.
    fileprivate var shortened: String {
        let line = split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
        return line.count > 24 || line.count < count ? line.prefix(24) + "..." : line
    }
}

extension Double {
    /// The number rounded to `1 / parts`, without decimals when it is whole.
    fileprivate func rounded(to parts: Double) -> String {
        let value = (self * parts).rounded() / parts
        return value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
    }
}
