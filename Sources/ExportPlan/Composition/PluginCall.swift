/// A value of a plug-in's parameter.
package enum PluginValue: Hashable, Sendable, Codable {
    case number(value: Double)
    case bool(value: Bool)
    /// An opaque colour.
    case color(color: RGBAColor)
    /// Fractions of the picture's width and height, from its top left corner.
    case position(x: Double, y: Double)
    case text(text: String)
}

/// What an operation passes to its plug-in, beside the numbers, which may change over time and are among the
/// operation's own parameters. The operation's `source`, the content hash of the plug-in's file, decides which plug-in
/// it is.
package struct PluginCall: Hashable, Sendable, Codable {
    /// The plug-in's name, used in messages and to find the file.
    package var name: String
    /// The values that are not numbers, by parameter name; a missing one has the plug-in's default.
    package var settings: [String: PluginValue]

    package init(name: String, settings: [String: PluginValue] = [:]) {
        self.name = name
        self.settings = settings
    }
}
