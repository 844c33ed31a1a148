import ExactTime
import ExportPlan
import Vocabulary

/// An explanation as text: one line for each layer, from the lowest up, or for each sound, with its parts indented
/// below it. `ExplanationText+Words.swift` puts subjects and decisions into words.
struct ExplanationText {
    /// The names of the sources, by content hash.
    let names: [String: String]

    /// - Parameter receiver: what takes the picture of a stack, such as the encoder.
    func lines(of explanation: Explanation, for receiver: String = "the encoder") -> [String] {
        switch explanation.subject {
        case .pictures(let frames): return lines(ofFrames: explanation.parts, examined: frames)
        case .frame(let number): return ["frame \(number)"] + indented(lines(of: explanation.parts, for: receiver))
        case .stack: return lines(ofStack: explanation, for: receiver)
        case .sounds: return explanation.parts.isEmpty ? ["silence"] : lines(of: explanation.parts, for: receiver)
        case .mask: return [line(explanation, for: receiver)] + indented(lines(of: explanation.parts, for: "the mask"))
        case .transition: return [line(explanation, for: receiver)] + indented(lines(ofTransition: explanation.parts))
        case .blurred: return lines(ofLayer: explanation, for: receiver, partsFor: "the blur")
        case .group: return lines(ofLayer: explanation, for: receiver, partsFor: "the group's layer")
        case .soundGroup: return lines(ofLayer: explanation, for: receiver, partsFor: "the group")
        case .solid, .video, .still, .text, .shape, .captions, .generator, .adjustment, .sound:
            return lines(ofLayer: explanation, for: receiver, partsFor: receiver)
        }
    }

    func indented(_ lines: [String]) -> [String] { lines.map { "  " + $0 } }

    private func lines(of parts: [Explanation], for receiver: String) -> [String] {
        parts.flatMap { lines(of: $0, for: receiver) }
    }

    private func lines(ofFrames parts: [Explanation], examined frames: [Int]) -> [String] {
        let frames = frames.map(String.init)
        guard parts.count < frames.count else { return lines(of: parts, for: "the encoder") }
        return lines(of: parts, for: "the encoder")
            + ["examined: \(frames.joined(separator: ", ")); frames that are not named above are made like the frame before"]
    }

    private func lines(ofStack stack: Explanation, for receiver: String) -> [String] {
        var (hidden, cached) = (0, 0)
        for case .stacking(_, let hiddenLayers, let cachedLayers) in stack.decisions {
            (hidden, cached) = (hiddenLayers, cachedLayers)
        }
        var lines: [String] = []
        if hidden > 0 { lines.append("\(hidden) layer\(hidden == 1 ? "" : "s") below not drawn: hidden") }
        for (index, layer) in stack.parts.enumerated() {
            lines += self.lines(of: layer, for: receiver)
            if cached > 0, index + 1 == cached { lines.append(kept(cached, of: stack.parts.count)) }
        }
        return lines.isEmpty ? ["nothing is drawn"] : lines
    }

    private func kept(_ count: Int, of layerCount: Int) -> String {
        if count == 1 { return "= kept: drawn once" }
        return "= kept: these \(count) layers are joined once\(count < layerCount ? ", and copied for each frame" : "")"
    }

    private func lines(ofLayer layer: Explanation, for receiver: String, partsFor partReceiver: String) -> [String] {
        [line(layer, for: receiver)] + indented(lines(of: layer.parts, for: partReceiver))
    }

    private func lines(ofTransition parts: [Explanation]) -> [String] {
        zip(["from", "to"], parts).flatMap { name, stack in [name] + indented(lines(of: stack, for: "the transition")) }
    }

    /// The subject and what was decided about it.
    private func line(_ explanation: Explanation, for receiver: String) -> String {
        var line = title(explanation.subject)
        var joint = ": "
        if case .mask = explanation.subject { joint = ", " }
        let isRead = explanation.decisions.contains {
            switch $0 {
            case .reading, .plugin: true
            default: false
            }
        }
        for decision in explanation.decisions {
            switch clause(decision, isRead: isRead, for: receiver) {
            case .continued(let text): line += text
            case .separate(let text):
                line += joint + text
                joint = "; "
            case nil: break
            }
        }
        return line
    }
}
