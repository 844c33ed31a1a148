/// A plug-in for pictures, called by name: `{"type": "externalFilter", "name": "vertigo", "parameters": {"Zoom":
/// 0.2}}`. The plug-in declares what it makes a picture of, its parameters and their ranges; the compiler checks them.
package struct PicturePlugin: Hashable, Sendable {
    /// A value as it is written. The parameter decides what it means.
    package enum Value: Hashable, Sendable {
        case number(Double)
        case bool(Bool)
        /// A text, a colour, or the value of a merge field.
        case text(String)
        case position(x: Double, y: Double)
    }

    /// The `type` of operations and effects that call a filter.
    package static let filterType = "externalFilter"

    package var name: String
    package var parameters: [String: Value]

    package init(name: String, parameters: [String: Value] = [:]) {
        self.name = name
        self.parameters = parameters
    }
}

extension PicturePlugin: Encodable {
    private enum CodingKeys: String, CodingKey { case name, parameters }
}

extension PicturePlugin.Value: Encodable {
    private enum CodingKeys: String, CodingKey { case x, y }

    package func encode(to encoder: any Encoder) throws {
        if case .position(let x, let y) = self {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(x, forKey: .x)
            try container.encode(y, forKey: .y)
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .position: break
        }
    }
}

extension PicturePlugin {
    init?(_ reader: inout ObjectReader) {
        let name = reader.string("name", required: true)
        let parameters = reader.pluginParameters()
        guard let name else { return nil }
        self.init(name: name, parameters: parameters ?? [:])
    }
}

extension PicturePlugin.Value {
    fileprivate init?(_ reader: inout ObjectReader, _ name: String) {
        let finite = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        switch reader.value(name) {
        case .bool(let value): self = .bool(value)
        case .string(let text), .filledIn(let text):
            guard reader.checked(text, name, DraftLimits.textBytes), reader.count(.textBytes, text.utf8.count, at: name) else {
                return nil
            }
            self = .text(text)
        case .object:
            let position = reader.object(name) { point -> (x: Double, y: Double)? in
                let x = point.double("x", in: finite, required: true)
                let y = point.double("y", in: finite, required: true)
                guard let x, let y else { return nil }
                return (x, y)
            }
            guard let position else { return nil }
            self = .position(x: position.x, y: position.y)
        case .number:
            guard let value = reader.double(name, in: finite) else { return nil }
            self = .number(value)
        case .array, .null, .faulty, .removed, nil:
            if reader.value(name) != nil {
                reader.report(name, .wrongType, "must be a number, true or false, a text or a position {\"x\", \"y\"}")
            }
            return nil
        }
    }
}

extension ObjectReader {
    /// Reads the `parameters` of a plug-in.
    mutating func pluginParameters() -> [String: PicturePlugin.Value]? {
        object("parameters") { reader in
            var values: [String: PicturePlugin.Value] = [:]
            for name in reader.parameterNames(of: "a plug-in") { values[name] = PicturePlugin.Value(&reader, name) }
            return values
        }
    }

    /// The fields that no accessor has asked for. They are parameters whose names the catalogue or the plug-in
    /// declares.
    mutating func parameterNames(of owner: String) -> [String] {
        let names = unreadNames
        if names.count > DraftLimits.operationParameters {
            reportObject(.outOfRange, "\(owner) may have \(DraftLimits.operationParameters) parameters, not \(names.count)")
        } else if let long = names.first(where: { $0.utf8.count > DraftLimits.nameBytes }) {
            reportObject(.outOfRange, "the name of a parameter may have \(DraftLimits.nameBytes) bytes, not \(long.utf8.count)")
        } else {
            return names
        }
        ignoreTheRest()
        return []
    }
}
