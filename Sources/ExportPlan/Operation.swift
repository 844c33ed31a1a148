/// A change of colours or of a picture by name, with numbers that may move over time. What names and parameters there
/// are says the catalogue in `Operations`; here it is data, and part of a plan's key.
public struct Operation: Hashable, Sendable, Codable {
    /// As in the catalogue: `brightness`, `lut`, `blur`, ...
    public var name: String
    /// By parameter name; what is not given has the catalogue's default.
    public var parameters: [String: AnimatedValue]
    /// Content hash of the file that the operation reads (a colour lookup table), if it reads one.
    public var source: String?

    public init(name: String, parameters: [String: AnimatedValue] = [:], source: String? = nil) {
        self.name = name
        self.parameters = parameters
        self.source = source
    }

    /// The same operation with every number changed.
    public func mapValues(_ change: (AnimatedValue) -> AnimatedValue) -> Operation {
        Operation(name: name, parameters: parameters.mapValues(change), source: source)
    }
}
