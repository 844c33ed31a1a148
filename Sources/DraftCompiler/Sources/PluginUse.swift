import DraftModel
import ExactTime
import ExportPlan

/// A place of a draft that calls a plug-in.
struct PluginUse {
    var external: ExternalFilter
    /// The animated parameters, by name.
    var moving: [String: AnimatedValue]
    /// The path in the draft, as in `mainTrackClips[0].filters[1]`.
    var path: String

    /// All calls, in document order.
    static func all(in draft: Draft) -> [PluginUse] {
        var uses: [PluginUse] = []
        func collect(_ filters: [Filter]?, _ animations: [Animation]?, _ owner: String, _ list: String) {
            let animated = AnimatedProperties(animations, from: .zero)
            for (index, filter) in (filters ?? []).enumerated() {
                guard let external = filter.external else { continue }
                let moving = animated.parameters(ofOperation: index, in: list).withoutPrefix
                uses.append(PluginUse(external: external, moving: moving, path: "\(owner).\(list)[\(index)]"))
            }
        }
        for (index, clip) in draft.mainTrackClips.enumerated() {
            collect(clip.filters, clip.animations, "mainTrackClips[\(index)]", "filters")
        }
        for (index, effect) in (draft.effects ?? []).enumerated() {
            if let external = effect.external {
                uses.append(PluginUse(external: external, moving: [:], path: "effects[\(index)]"))
            }
            if let external = effect.operation?.external {
                uses.append(PluginUse(external: external, moving: [:], path: "effects[\(index)].operation"))
            }
        }
        forEachLayer(draft.layers ?? []) { layer, path in collect(layer.operations, layer.animations, path, "operations") }
        return uses
    }
}

extension [String: AnimatedValue] {
    /// The values by the parameters' own names. The key paths of plug-ins begin with `parameters.`.
    var withoutPrefix: [String: AnimatedValue] {
        Dictionary(uniqueKeysWithValues: map { name, value in (String(name.drop { $0 != "." }.dropFirst()), value) })
    }
}
