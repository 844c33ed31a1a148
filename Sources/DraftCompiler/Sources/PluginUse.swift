import DraftModel
import ExactTime
import ExportPlan

/// A place of a draft that calls a plug-in for pictures.
struct PluginUse {
    var external: PicturePlugin
    /// The kind that the place takes.
    var kind: PluginKind
    /// The animated parameters, by name.
    var moving: [String: AnimatedValue]
    /// The path in the draft, as in `mainTrackClips[0].filters[1]`.
    var path: String
    /// Nil where the call is no transition.
    var transition: DraftModel.Transition?

    private init(
        _ external: PicturePlugin, _ kind: PluginKind, moving: [String: AnimatedValue] = [:], path: String,
        transition: DraftModel.Transition? = nil
    ) {
        self.external = external
        self.kind = kind
        self.moving = moving
        self.path = path
        self.transition = transition
    }

    /// All calls, in document order.
    static func all(in draft: Draft) -> [PluginUse] {
        var uses: [PluginUse] = []
        func filters(_ filters: [Filter]?, _ animated: AnimatedProperties, _ owner: String, _ list: String) {
            for (index, filter) in (filters ?? []).enumerated() {
                guard let external = filter.external else { continue }
                let moving = animated.parameters(ofOperation: index, in: list).withoutPrefix
                uses.append(PluginUse(external, .filter, moving: moving, path: "\(owner).\(list)[\(index)]"))
            }
        }
        func transition(_ transition: DraftModel.Transition?, _ path: String) {
            guard let transition, let mixer = transition.mixer else { return }
            uses.append(PluginUse(mixer, .mixer, path: path, transition: transition))
        }
        for (index, clip) in draft.mainTrackClips.enumerated() {
            let path = "mainTrackClips[\(index)]"
            let animated = AnimatedProperties(clip.animations, from: .zero)
            if let generator = clip.generator {
                uses.append(PluginUse(generator, .generator, moving: animated.parameters, path: path))
            }
            filters(clip.filters, animated, path, "filters")
            transition(clip.transition, "\(path).transition")
        }
        for (index, effect) in (draft.effects ?? []).enumerated() {
            if let external = effect.external { uses.append(PluginUse(external, .filter, path: "effects[\(index)]")) }
            if let external = effect.operation?.external {
                uses.append(PluginUse(external, .filter, path: "effects[\(index)].operation"))
            }
        }
        forEachLayer(draft.layers ?? []) { layer, path in
            // The layer that stands for a mask has no animations of its own; the masked layer names what it calls.
            guard !path.hasSuffix(".mask") else { return }
            let animated = AnimatedProperties(layer.animations, from: .zero)
            if let generator = layer.source?.generator {
                let moving = animated.inside("source").parameters
                uses.append(PluginUse(generator, .generator, moving: moving, path: "\(path).source"))
            }
            if let mixer = layer.blendMode?.mixer {
                let moving = animated.inside("blendMode").parameters
                uses.append(PluginUse(mixer, .mixer, moving: moving, path: "\(path).blendMode"))
            }
            filters(layer.operations, animated, path, "operations")
            for (name, found) in layer.transitions { transition(found, "\(path).\(name)") }
            if let generator = layer.mask?.source.generator {
                let moving = animated.inside("mask").inside("source").parameters
                uses.append(PluginUse(generator, .generator, moving: moving, path: "\(path).mask.source"))
            }
        }
        return uses
    }
}

extension [String: AnimatedValue] {
    /// The values by the parameters' own names. The key paths of plug-ins begin with `parameters.`.
    var withoutPrefix: [String: AnimatedValue] {
        Dictionary(uniqueKeysWithValues: map { name, value in (String(name.drop { $0 != "." }.dropFirst()), value) })
    }
}

extension AnimatedProperties {
    /// The animated parameters of the plug-in that the object calls, by name.
    var parameters: [String: AnimatedValue] { values(under: "parameters.") }
}
