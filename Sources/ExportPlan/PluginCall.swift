/// A value of a plug-in's parameter.
public enum PluginValue: Hashable, Sendable, Codable {
    case number(value: Double)
    case bool(value: Bool)
    /// Opaque.
    case color(color: RGBAColor)
    /// Fractions of the picture, from its top left corner.
    case position(x: Double, y: Double)
    case text(text: String)
}

/// What an operation tells the plug-in that it runs, beside the numbers, which may move and are among the operation's own
/// parameters. Which plug-in it is says the operation's source: the content hash of the plug-in's file.
public struct PluginCall: Hashable, Sendable, Codable {
    /// For messages, and to find the file.
    public var name: String
    /// Whatever is no number, by parameter name; what is not given has the plug-in's default.
    public var settings: [String: PluginValue]

    public init(name: String, settings: [String: PluginValue] = [:]) {
        self.name = name
        self.settings = settings
    }
}
