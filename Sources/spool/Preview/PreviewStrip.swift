import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Vocabulary
import FoundationEssentials

/// A row of the timeline on the page.
struct PreviewStrip: Encodable {
    enum Kind: String, Encodable {
        case clips, transitions, layers, sound, effects
    }

    struct Item: Encodable {
        /// In seconds of film.
        var start: Double
        var duration: Double
        var label: String
        /// The place in the draft.
        var path: String

        init(_ range: TimeRange, _ label: String, _ path: String) {
            (start, duration) = (range.start.doubleValue, range.duration.doubleValue)
            (self.label, self.path) = (label, path)
        }
    }

    var kind: Kind
    var name: String
    var items: [Item]

    /// The greatest number of rows of one kind.
    private static let rows = 24

    /// The rows of a draft, from the main track on.
    static func all(of version: PreviewVersion) -> [PreviewStrip] {
        let (prepared, draft) = (version.prepared, version.prepared.draft)
        let whole = TimeRange(start: .zero, duration: prepared.composition.duration)
        let places = (try? prepared.compiler.clipPlaces(of: draft, (prepared.composition, version.plan))) ?? []  // no rows then
        let clips = places.map { place in
            Item(place.timeRangeAtMainTrack, name(of: place.url) ?? place.id ?? "color", "mainTrackClips[\(place.index)]")
        }
        let transitions = zip(places, places.dropFirst()).compactMap { before, place -> Item? in
            guard let transition = draft.mainTrackClips[place.index].transition else { return nil }
            let start = place.timeRangeAtMainTrack.start
            let range = TimeRange(from: start, to: max(start, before.timeRangeAtMainTrack.end))
            return Item(range, transition.type.rawValue, "mainTrackClips[\(place.index)].transition")
        }
        let layers = (draft.layers ?? []).enumerated().map { index, layer in
            Item(
                layer.timeRange, layer.source?.text?.text ?? name(of: layer.source?.url) ?? layer.id ?? "layer",
                "layers[\(index)]")
        }
        let sounds = (draft.audioClips ?? []).enumerated().map { index, clip in
            let start = clip.startTimeAtMainTrack ?? .zero
            let length = clip.loop == true ? nil : clip.timeRange?.duration
            let range = TimeRange(from: start, to: max(start, min(whole.end, length.map { start + $0 } ?? whole.end)))
            return Item(range, name(of: clip.url) ?? "sound", "audioClips[\(index)]")
        }
        let effects = (draft.effects ?? []).enumerated().map { index, effect in
            Item(effect.timeRangeAtMainTrack ?? whole, effect.type.rawValue, "effects[\(index)]")
        }
        return [PreviewStrip(kind: .clips, name: "Main track", items: clips)]
            + packed(transitions, .transitions, "Transitions") + packed(layers, .layers, "Layers")
            + packed(sounds, .sound, "Sound") + packed(effects, .effects, "Effects")
    }

    /// Items in as few rows as show them beside each other.
    private static func packed(_ items: [Item], _ kind: Kind, _ name: String) -> [PreviewStrip] {
        var strips: [PreviewStrip] = []
        for item in items.sorted(by: { $0.start < $1.start }) {
            let row = strips.firstIndex { strip in strip.items.last.map { $0.start + $0.duration <= item.start } ?? true }
            if let row {
                strips[row].items.append(item)
            } else if strips.count < rows {
                strips.append(
                    PreviewStrip(kind: kind, name: strips.isEmpty ? name : "\(name) \(strips.count + 1)", items: [item]))
            }
        }
        return strips
    }

    /// The last part of a location.
    private static func name(of url: String?) -> String? { url?.split(separator: "/").last.map(String.init) }
}
