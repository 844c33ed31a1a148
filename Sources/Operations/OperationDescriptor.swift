/// Everything there is to know of one operation: its description for people and programs, and how it is done.
///
/// Each operation is a static member in a file of its own and one line in `OperationCatalogue`.
public struct OperationDescriptor: Sendable {
    /// What a pixel of the result depends on.
    public enum Reach: String, Sendable, Codable {
        /// The same pixel's colour, its position and the frame's number. Neighbours of this kind run in one pass.
        case pixelwise
        /// Pixels around it; runs on whole planes.
        case spatial
    }

    /// As a draft writes it in `type`.
    public let name: String
    /// One line.
    public let summary: String
    /// The formula as text, on gamma-encoded red, green and blue 0...1, and where it is from.
    public let formula: String
    public let parameters: [OperationParameter]
    /// Whether it reads a file (a colour lookup table).
    public let needsSource: Bool
    /// Whether it makes parts of the picture transparent.
    public let changesAlpha: Bool
    /// Whether it changes from frame to frame while its values stay.
    public let movesByItself: Bool
    /// The parameter by whose threefold colour spreads beyond the edges of what is drawn; nil where it stays within them.
    let spreading: OperationParameter?
    let body: OperationBody

    init(
        _ name: String, _ summary: String, formula: String, needsSource: Bool = false, changesAlpha: Bool = false,
        movesByItself: Bool = false, parameters: [OperationParameter], _ body: OperationBody
    ) {
        self.name = name
        self.summary = summary
        self.formula = formula
        self.parameters = parameters
        self.needsSource = needsSource
        self.changesAlpha = changesAlpha
        self.movesByItself = movesByItself
        spreading = if case .gaussian = body { parameters.first } else { nil }
        self.body = body
    }

    public var reach: Reach {
        switch body {
        case .pixelwise: .pixelwise
        case .spatial, .gaussian: .spatial
        }
    }

    /// Whether these values, by parameter name and complete, leave every picture as it is. An operation without any
    /// neutral value never does.
    public func isNeutral(_ values: [String: Double]) -> Bool {
        let deciding = parameters.filter { $0.neutral != nil }
        return !deciding.isEmpty && deciding.allSatisfy { values[$0.name] == $0.neutral }
    }
}

extension OperationDescriptor: Encodable {
    private enum CodingKeys: String, CodingKey { case name, summary, formula, reach, needsSource, parameters }

    /// The description; how it is done has no text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(summary, forKey: .summary)
        try container.encode(formula, forKey: .formula)
        try container.encode(reach, forKey: .reach)
        try container.encode(needsSource, forKey: .needsSource)
        try container.encode(parameters, forKey: .parameters)
    }
}
