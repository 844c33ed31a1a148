import FarmAPI
import HTTPAPI
import FoundationEssentials

/// Compares JSON values with the schemas of an OpenAPI document, by the keywords that the document uses. An object with
/// `properties` may have no others, so that the document cannot forget one.
struct SchemaValidator {
    let document: JSONTree

    /// What does not fit, in words; empty where everything does.
    func faults(of value: JSONTree, _ schema: JSONTree, at path: String = "") -> [String] {
        if let reference = schema["$ref"]?.text { return faults(of: value, component(reference), at: path) }
        var faults: [String] = []
        if let either = schema["anyOf"]?.elements, !either.contains(where: { self.faults(of: value, $0, at: path).isEmpty }) {
            faults.append("\(path): fits none of anyOf")
        }
        if let choices = schema["enum"]?.elements, !choices.contains(value) { faults.append("\(path): \(value) is no choice") }
        if let type = schema["type"]?.text { faults += check(value, type, schema, path) }
        return faults
    }

    private func check(_ value: JSONTree, _ type: String, _ schema: JSONTree, _ path: String) -> [String] {
        switch (type, value) {
        case ("null", .null), ("boolean", .boolean): return []
        case ("integer", .integer(let number)): return checkRange(Double(number), schema, path)
        case ("number", .integer(let number)): return checkRange(Double(number), schema, path)
        case ("number", .number(let number)): return checkRange(number, schema, path)
        case ("string", .text(let text)): return check(text, schema, path)
        case ("array", .array(let elements)):
            guard let items = schema["items"] else { return [] }
            return elements.enumerated().flatMap { faults(of: $1, items, at: "\(path)[\($0)]") }
        case ("object", .object(let members)): return check(members, schema, path)
        default: return ["\(path): \(value) is no \(type)"]
        }
    }

    private func checkRange(_ number: Double, _ schema: JSONTree, _ path: String) -> [String] {
        func limit(_ name: String) -> Double? {
            switch schema[name] {
            case .integer(let limit): Double(limit)
            case .number(let limit): limit
            default: nil
            }
        }
        guard number >= limit("minimum") ?? number, number <= limit("maximum") ?? number else {
            return ["\(path): \(number) is out of its range"]
        }
        return []
    }

    private func check(_ text: String, _ schema: JSONTree, _ path: String) -> [String] {
        switch schema["format"]?.text {
        case "uuid" where UUID(uuidString: text) == nil: return ["\(path): '\(text)' is no UUID"]
        case "date-time" where FarmJSON.date(text) == nil: return ["\(path): '\(text)' is no date"]
        default: break
        }
        if let pattern = schema["pattern"]?.text, let regex = try? Regex(pattern), text.firstMatch(of: regex) == nil {
            return ["\(path): '\(text)' does not match \(pattern)"]
        }
        return []
    }

    private func check(_ members: [String: JSONTree], _ schema: JSONTree, _ path: String) -> [String] {
        var faults: [String] = []
        for name in (schema["required"]?.elements ?? []).compactMap(\.text) where members[name] == nil {
            faults.append("\(path).\(name) is missing")
        }
        let properties = schema["properties"]?.members ?? [:]
        for (name, value) in members {
            if let property = properties[name] ?? schema["additionalProperties"] {
                faults += self.faults(of: value, property, at: "\(path).\(name)")
            } else if schema["properties"] != nil {
                faults.append("\(path).\(name) is not described")
            }
        }
        return faults
    }

    private func component(_ reference: String) -> JSONTree {
        reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? .null }
    }
}
