/// The complete description of one operation: its documentation for people and programs, and how it is carried out.
///
/// Each operation is a static member in a file of its own and one line in `OperationCatalogue`.
package struct OperationDescriptor: Sendable {
    /// What a pixel of the result depends on.
    package enum Reach: String, Sendable, Codable {
        /// The same pixel's colour, its position and the frame's number. Consecutive operations of this kind run in one
        /// pass.
        case pixelwise
        /// The pixels around it. The operation runs on whole planes.
        case spatial
    }

    /// The operation's `type` in a draft.
    package let name: String
    /// A summary in one line.
    package let summary: String
    /// The formula as text, on gamma-encoded red, green and blue in 0...1, and its source.
    package let formula: String
    package let parameters: [OperationParameter]
    /// Whether it reads a file (a colour lookup table).
    package let needsSource: Bool
    /// Whether it can make parts of the picture transparent.
    package let changesAlpha: Bool
    /// Whether the result changes from frame to frame even if the values are constant.
    package let isTimeDependent: Bool
    /// The parameter whose value times three is how far colour spreads beyond the edges of the picture. Nil if it does
    /// not spread.
    let spreading: OperationParameter?
    let body: OperationBody

    init(
        _ name: String, _ summary: String, formula: String, needsSource: Bool = false, changesAlpha: Bool = false,
        isTimeDependent: Bool = false, parameters: [OperationParameter], _ body: OperationBody
    ) {
        self.name = name
        self.summary = summary
        self.formula = formula
        self.parameters = parameters
        self.needsSource = needsSource
        self.changesAlpha = changesAlpha
        self.isTimeDependent = isTimeDependent
        spreading = if case .gaussian = body { parameters.first } else { nil }
        self.body = body
    }

    package var reach: Reach {
        switch body {
        case .pixelwise: .pixelwise
        case .spatial, .gaussian: .spatial
        }
    }

    /// Whether these values leave every picture unchanged. They must be complete, by parameter name. An operation whose
    /// parameters have no neutral values never counts as neutral.
    package func isNeutral(_ values: [String: Double]) -> Bool {
        let deciding = parameters.filter { $0.neutral != nil }
        return !deciding.isEmpty && deciding.allSatisfy { values[$0.name] == $0.neutral }
    }
}

extension OperationDescriptor: Encodable {
    private enum CodingKeys: String, CodingKey { case name, summary, formula, reach, needsSource, parameters }

    /// Encodes the description without the body.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(summary, forKey: .summary)
        try container.encode(formula, forKey: .formula)
        try container.encode(reach, forKey: .reach)
        try container.encode(needsSource, forKey: .needsSource)
        try container.encode(parameters, forKey: .parameters)
    }
}
