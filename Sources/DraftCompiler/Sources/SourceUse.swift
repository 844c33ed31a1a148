package import DraftModel
package import ExportPlan
import Operations

/// A place in a draft that names a source. Resolving probes each location once, and a fault is reported at every place
/// that names it.
package struct SourceUse: Hashable, Sendable {
    /// The kind of source that the place needs.
    package enum Need: Hashable, Sendable {
        case pictureOrSound, picture, sound, impulseResponse, lookupTable, captions, plugin, font, text, cover
    }

    /// The field, as in `mainTrackClips[2].url`; in the document, if it comes from `all(in:)`.
    package var path: String
    package var url: String
    package var need: Need
    /// The streams that the place chooses; nil where it plays the usual ones.
    package var streams: StreamChoice?
    /// The font request of a use whose need is `text`; otherwise nil.
    package var fonts: FontRequest?

    /// The key of its facts for the compiler: the location, with the chosen streams.
    package var key: String { streams?.key(url) ?? url }

    /// Whether the location is that of a file, which can be uploaded or refused.
    package var isFile: Bool { need != .plugin && need != .text }

    /// The name for messages: the location, or what it stands for.
    package var name: String {
        PluginLocation.name(of: url) ?? RemoteLocation.name(of: fonts.map { $0.captions ?? $0.font } ?? url)
    }

    init(path: String, url: String, need: Need, streams: StreamChoice? = nil, fonts: FontRequest? = nil) {
        self.streams = streams
        self.path = path
        self.url = url
        self.need = need
        self.fonts = fonts
    }

    /// Every source of a draft, with the document's paths: the media in document order, then plug-ins, the cover, font
    /// files and font requests.
    package static func all(in draft: Draft) -> [SourceUse] {
        guard !draft.removed.isEmpty else { return kept(in: draft) }
        return kept(in: draft).map { use in
            var use = use
            use.path = draft.removed.written(use.path)
            return use
        }
    }

    /// The same as `all(in:)` with the paths that the passes count, without what conditions removed.
    static func kept(in draft: Draft) -> [SourceUse] {
        var uses: [SourceUse] = []
        if let background = draft.background, let url = background.url {
            uses.append(SourceUse(path: "background.url", url: url, need: .picture))
        }
        for (index, clip) in draft.mainTrackClips.enumerated() {
            if let url = clip.url {
                uses.append(
                    SourceUse(
                        path: "mainTrackClips[\(index)].url", url: url, need: clip.type == .image ? .picture : .pictureOrSound,
                        streams: clip.streams))
            }
            if let url = clip.transition?.url {
                uses.append(SourceUse(path: "mainTrackClips[\(index)].transition.url", url: url, need: .picture))
            }
            uses += tables(of: clip.filters, at: "mainTrackClips[\(index)].filters")
            uses += impulses(of: clip.audioFilters, in: "mainTrackClips[\(index)]")
        }
        for (index, clip) in (draft.audioClips ?? []).enumerated() {
            uses.append(SourceUse(path: "audioClips[\(index)].url", url: clip.url, need: .sound, streams: clip.streams))
            uses += impulses(of: clip.audioFilters, in: "audioClips[\(index)]")
        }
        for (index, effect) in (draft.effects ?? []).enumerated() {
            if let operation = effect.operation { uses += table(of: operation, at: "effects[\(index)].operation") }
            guard let url = effect.url else { continue }
            uses.append(
                SourceUse(path: "effects[\(index)].url", url: url, need: effect.type == .lut ? .lookupTable : .picture))
        }
        forEachLayer(draft.layers ?? []) { layer, path in
            if let source = layer.source, let url = source.url {
                let need: Need = source.type == .captions ? .captions : .picture
                uses.append(SourceUse(path: "\(path).source.url", url: url, need: need, streams: source.streams))
            }
            for (name, transition) in layer.transitions {
                guard let url = transition.url else { continue }
                uses.append(SourceUse(path: "\(path).\(name).url", url: url, need: .picture))
            }
            uses += tables(of: layer.operations, at: "\(path).operations")
            uses += impulses(of: layer.audioFilters, in: path)
        }
        for use in PluginUse.all(in: draft) where !use.external.name.isEmpty {
            uses.append(
                SourceUse(path: "\(use.path).name", url: PluginLocation.location(of: use.external.name), need: .plugin))
        }
        forEachSound(of: draft) { filters, path in
            for (index, filter) in filters.enumerated() {
                guard let plugin = filter.plugin else { continue }
                uses.append(
                    SourceUse(
                        path: "\(path).audioFilters[\(index)].plugin", url: PluginLocation.location(of: plugin.name.text),
                        need: .plugin))
            }
        }
        if let cover = draft.cover { uses.append(SourceUse(path: "cover.url", url: cover.url, need: .cover)) }
        for (index, font) in (draft.fonts ?? []).enumerated() {
            uses.append(SourceUse(path: "fonts[\(index)].url", url: font.url, need: .font))
        }
        for use in FontUse.all(in: draft) {
            uses.append(SourceUse(path: use.path, url: use.location, need: .text, fonts: use.request))
        }
        return uses
    }

    /// The impulse responses that audio filters read.
    /// - Parameter path: the path of what has the filters.
    private static func impulses(of filters: [AudioFilter]?, in path: @autoclosure () -> String) -> [SourceUse] {
        (filters ?? []).enumerated().compactMap { index, filter in
            filter.url.map { SourceUse(path: "\(path()).audioFilters[\(index)].url", url: $0, need: .impulseResponse) }
        }
    }

    private static func tables(of filters: [Filter]?, at path: @autoclosure () -> String) -> [SourceUse] {
        (filters ?? []).enumerated().flatMap { table(of: $1, at: "\(path())[\($0)]") }
    }

    /// The file that an operation reads. A file for an operation that reads none is reported elsewhere.
    private static func table(of filter: Filter, at path: String) -> [SourceUse] {
        guard let url = filter.url, OperationCatalogue.descriptor(of: filter.type)?.needsSource == true else { return [] }
        return [SourceUse(path: "\(path).url", url: url, need: .lookupTable)]
    }
}
