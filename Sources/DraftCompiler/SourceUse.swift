public import DraftModel
import ExportPlan

/// One place in a draft that names a source. Resolving visits each location once, and a fault names every place.
public struct SourceUse: Hashable, Sendable {
    /// What the place needs the source to have.
    public enum Need: Hashable, Sendable { case pictureOrSound, picture, sound, plugin }

    /// The field, as in `mainTrackClips[2].url`.
    public var path: String
    public var url: String
    public var need: Need

    /// Every source of a draft in document order, then its plug-ins.
    public static func all(in draft: Draft) -> [SourceUse] {
        var uses: [SourceUse] = []
        if let background = draft.background, let url = background.url {
            uses.append(SourceUse(path: "background.url", url: url, need: .picture))
        }
        for (index, clip) in draft.mainTrackClips.enumerated() {
            uses.append(
                SourceUse(
                    path: "mainTrackClips[\(index)].url", url: clip.url,
                    need: clip.type == .image ? .picture : .pictureOrSound))
            if let url = clip.transition?.url {
                uses.append(SourceUse(path: "mainTrackClips[\(index)].transition.url", url: url, need: .picture))
            }
        }
        for (index, clip) in (draft.audioClips ?? []).enumerated() {
            uses.append(SourceUse(path: "audioClips[\(index)].url", url: clip.url, need: .sound))
        }
        for (index, effect) in (draft.effects ?? []).enumerated() {
            guard let url = effect.url else { continue }
            uses.append(SourceUse(path: "effects[\(index)].url", url: url, need: .picture))
        }
        forEachLayer(draft.layers ?? []) { layer, path in
            guard let source = layer.source, let url = source.url else { return }
            uses.append(SourceUse(path: "\(path).source.url", url: url, need: .picture))
        }
        for use in PluginUse.all(in: draft) where !use.external.name.isEmpty {
            uses.append(
                SourceUse(path: "\(use.path).name", url: PluginLocation.location(of: use.external.name), need: .plugin))
        }
        return uses
    }
}
