public import ExactTime

/// A change of colours or of a picture by name, with numbers that may move over time. What names and parameters there
/// are says the catalogue in `Operations`; here it is data, and part of a plan's key.
public struct Operation: Hashable, Sendable, Codable {
    /// As in the catalogue: `brightness`, `lut`, `blur`, ...
    public var name: String
    /// By parameter name; what is not given has the catalogue's default.
    public var parameters: [String: AnimatedValue]
    /// Content hash of the file that the operation reads (a colour lookup table) or runs (a plug-in), if there is one.
    public var source: String?
    /// Where the operation's own time 0 lies, for one that moves by itself and for a plug-in: the beginning of its clip or layer.
    /// Nil is 0.
    public var start: MediaTime?
    /// How fast the operation's own time goes; nil is 1.
    public var pace: Rational?
    /// How far it had come at `start`; nil is 0. What stands still has come so far.
    public var reached: MediaTime?
    /// Of `externalFilter`, and only there.
    public var plugin: PluginCall?

    public init(
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
    public func mapValues(_ change: (AnimatedValue) -> AnimatedValue) -> Operation {
        var result = self
        result.parameters = parameters.mapValues(change)
        return result
    }

    /// How far it has come by itself at a time of its keys.
    public func ownTime(at time: MediaTime) -> MediaTime { (time - (start ?? .zero)) * (pace ?? .one) + (reached ?? .zero) }

    /// The same operation, `offset` later.
    public func shifted(by offset: MediaTime) -> Operation { retimed(.shift(by: offset)) }

    /// The same operation at other times.
    public func retimed(_ change: Retiming) -> Operation {
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
