import ExactTime

/// A change of colours or of a picture by name, with numbers that may move over time. What names and parameters there
/// are says the catalogue in `Operations`; here it is data, and part of a plan's key.
public struct Operation: Hashable, Sendable, Codable {
    /// As in the catalogue: `brightness`, `lut`, `blur`, ...
    public var name: String
    /// By parameter name; what is not given has the catalogue's default.
    public var parameters: [String: AnimatedValue]
    /// Content hash of the file that the operation reads (a colour lookup table) or runs (a plug-in), if there is one.
    public var source: String?
    /// Of `externalFilter`, and only there.
    public var plugin: PluginCall?

    public init(
        name: String, parameters: [String: AnimatedValue] = [:], source: String? = nil, plugin: PluginCall? = nil
    ) {
        self.name = name
        self.parameters = parameters
        self.source = source
        self.plugin = plugin
    }

    /// The same operation with every number changed.
    public func mapValues(_ change: (AnimatedValue) -> AnimatedValue) -> Operation {
        Operation(name: name, parameters: parameters.mapValues(change), source: source, plugin: plugin)
    }

    /// The same operation where its own time begins `offset` later. Its numbers stay.
    func starting(later offset: MediaTime) -> Operation {
        var result = self
        if let plugin { result.plugin?.start = plugin.start + offset }
        return result
    }
}
