package import ExactTime

/// A named change of colours or of a picture, or the call of a plug-in that makes a picture, with numbers that may
/// change over time. The catalogue in `Operations` lists the names and parameters; here an operation is data, and part
/// of an artifact's key.
package struct Operation: Hashable, Sendable, Codable {
    /// The name in the catalogue: `brightness`, `lut`, `blur`, ...
    package var name: String
    /// Values by parameter name; a missing parameter has the catalogue's default.
    package var parameters: [String: AnimatedValue]
    /// Content hash of the file that the operation reads (a colour lookup table) or runs (a plug-in), if there is one.
    package var source: String?
    /// The timeline time of the operation's own time 0, for a plug-in or an operation that moves by itself: the start
    /// of its clip or layer. Nil means 0.
    package var start: MediaTime?
    /// How fast the operation's own time runs, relative to the timeline; nil means 1.
    package var pace: Rational?
    /// The operation's own time at `start`; nil means 0. For a held picture, whose `pace` is 0, it stays at that value.
    package var reached: MediaTime?
    /// The plug-in call of an `externalFilter`, a generator or a mixer; nil for all other operations.
    package var plugin: PluginCall?

    package init(
        name: String, parameters: [String: AnimatedValue] = [:], source: String? = nil, start: MediaTime? = nil,
        plugin: PluginCall? = nil
    ) {
        self.name = name
        self.parameters = parameters
        self.source = source
        self.start = start
        self.plugin = plugin
    }

    /// The same operation with every number changed.
    package func mapValues(_ change: (AnimatedValue) -> AnimatedValue) -> Operation {
        var result = self
        result.parameters = parameters.mapValues(change)
        return result
    }

    /// The operation's own time at a time of the timeline that its keyframes use.
    package func ownTime(at time: MediaTime) -> MediaTime { (time - (start ?? .zero)) * (pace ?? .one) + (reached ?? .zero) }

    /// The same operation, `offset` later.
    package func shifted(by offset: MediaTime) -> Operation { retimed(.shift(by: offset)) }

    /// The same operation at other times.
    package func retimed(_ change: Retiming) -> Operation {
        var result = mapValues { $0.retimed(change) }
        guard let start, pace != .zero else { return result }
        switch change {
        case .line:
            result.start = change.newTime(of: start)
            let pace = (pace ?? .one) * change.speed
            result.pace = pace == .one ? nil : pace
        case .held(let instant):
            (result.start, result.reached, result.pace) = (.zero, ownTime(at: instant), .zero)
        }
        return result
    }
}
