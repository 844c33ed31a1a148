/// What a plug-in declares: found by the probe, which loads it, and what the compiler checks a draft's parameters against.
public struct PluginFacts: Hashable, Sendable, Codable {
    /// What a parameter is.
    public enum Kind: String, Hashable, Sendable, Codable { case number, bool, color, position, text }

    public struct Parameter: Hashable, Sendable, Codable {
        public var name: String
        public var kind: Kind
        /// What it does, in the plug-in's own words; may be empty.
        public var explanation: String
        /// What a draft that leaves it out gets; nil where the plug-in does not say.
        public var `default`: PluginValue?
        /// Of a number: the least and the greatest that may be written.
        public var minimum: Double
        public var maximum: Double

        public init(
            name: String, kind: Kind, explanation: String, default defaultValue: PluginValue?, minimum: Double = 0,
            maximum: Double = 1
        ) {
            self.name = name
            self.kind = kind
            self.explanation = explanation
            self.default = defaultValue
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// By which drafts call it: the name of its file without the extension.
    public var name: String
    /// As it calls itself.
    public var title: String
    /// What it does, in its own words; may be empty.
    public var explanation: String
    public var author: String
    public var parameters: [Parameter]

    public init(name: String, title: String, explanation: String, author: String, parameters: [Parameter]) {
        self.name = name
        self.title = title
        self.explanation = explanation
        self.author = author
        self.parameters = parameters
    }
}

/// How a location names a plug-in where others name a file: `plugin:NAME`. The worker that has the job finds the file.
public enum PluginLocation {
    private static let prefix = "plugin:"

    public static func location(of name: String) -> String { prefix + name }

    /// Nil where the location is not a plug-in's.
    public static func name(of location: String) -> String? {
        location.hasPrefix(prefix) ? String(location.dropFirst(prefix.count)) : nil
    }
}
