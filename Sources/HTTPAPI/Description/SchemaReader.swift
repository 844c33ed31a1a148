import FarmAPI
import FoundationEssentials

/// A type whose decoding does not show its schema, such as one that is read from a text.
protocol SchemaDescribed: Decodable {
    static var schema: JSONSchema { get }
    /// A value that stands for all while the schema of a type around it is read.
    static var example: Self { get }
}

/// Finds out the JSON schemas of types by decoding them: a decoder that has no data answers every request with an example
/// and notes what was asked for. So a schema cannot differ from what the program reads.
///
/// Structures become components, named as in the program: `WorkerReport.Running` is `WorkerReportRunning`, and
/// `Listing<Export>` is `ExportListing`.
final class SchemaReader {
    /// The schemas of structures by their name.
    private(set) var components: [String: JSONSchema] = [:]

    /// The schema of a type: a reference to a component where it is a structure.
    func schema<Value: Decodable>(of type: Value.Type) -> JSONSchema { read(type).schema }

    /// Reads a structure that no component stands for.
    func structure<Value: Decodable>(of type: Value.Type) -> JSONSchema { shape(of: type).shape.object }

    /// The schema of a type, and an example of it.
    func read<Value: Decodable>(_ type: Value.Type) -> (schema: JSONSchema, example: Value) {
        if let known = SchemaReader.simple(type) { return known }
        if let described = type as? any SchemaDescribed.Type {
            return (described.schema, SchemaReader.cast(described.example))
        }
        if let choice = type as? any (CaseIterable & RawRepresentable).Type, let known = SchemaReader.choice(choice) {
            return (known.schema, SchemaReader.cast(known.example))
        }
        if let optional = type as? any OptionalType.Type {
            return (optional.schema(by: self), SchemaReader.cast(optional.absent))
        }
        if let map = type as? any StringKeyed.Type { return (map.schema(by: self), SchemaReader.cast(map.empty)) }
        let (shape, example) = shape(of: type)
        if let items = shape.items { return (.array(of: items), example) }
        if let single = shape.single { return (single, example) }
        let name = SchemaReader.name(of: type)
        return (define(name, shape.object), example)
    }

    /// Adds a component.
    /// - Returns: a reference to it.
    func define(_ name: String, _ schema: JSONSchema) -> JSONSchema {
        components[name] = schema
        return .component(name)
    }

    private func shape<Value: Decodable>(of type: Value.Type) -> (shape: SchemaShape, example: Value) {
        let shape = SchemaShape()
        do {
            return (shape, try Value(from: SchemaDecoder(reader: self, shape: shape)))
        } catch {
            preconditionFailure("the schema of \(type) cannot be read from its decoding, so it needs one of its own: \(error)")
        }
    }

    private static func simple<Value>(_ type: Value.Type) -> (schema: JSONSchema, example: Value)? {
        let known: (JSONSchema, Any)? =
            switch type {
            case is Bool.Type: (.boolean, false)
            case is String.Type: (.string, "text")
            case is Date.Type: (.date, Date(timeIntervalSinceReferenceDate: 0))
            case is Double.Type: (.number, 1.0)
            case is Int.Type: (.integer, 1)
            case is Int64.Type: (.integer, Int64(1))
            case is Int32.Type: (.integer, Int32(1))
            case is UInt64.Type: (.integer, UInt64(1))
            case is Float.Type: (.number, Float(1))
            default: nil
            }
        return known.map { ($0.0, cast($0.1)) }
    }

    /// The schema of an enumeration of texts.
    private static func choice<Choice: CaseIterable & RawRepresentable>(
        _ type: Choice.Type
    ) -> (schema: JSONSchema, example: Choice)? {
        let values = Choice.allCases.compactMap { $0.rawValue as? String }
        guard let first = Choice.allCases.first, values.count == Choice.allCases.count else { return nil }
        return (.choice(values), first)
    }

    private static func cast<Value>(_ example: Any) -> Value {
        guard let value = example as? Value else { preconditionFailure("\(example) is no \(Value.self)") }
        return value
    }

    /// The name of a type's component: without its module, and with what a generic type holds before it.
    static func name(of type: Any.Type) -> String {
        func plain(_ text: Substring) -> String {
            let parts = text.split(separator: ".")
            return parts.dropFirst(parts.count > 1 ? 1 : 0).joined()
        }
        let full = String(reflecting: type)
        guard let open = full.firstIndex(of: "<"), full.last == ">" else { return plain(full[...]) }
        let inner = full[full.index(after: open)...].dropLast()
        return inner.split(separator: ",").map { plain(Substring($0.drop { $0 == " " })) }.joined() + plain(full[..<open])
    }
}

/// An optional value, in an array or a dictionary.
private protocol OptionalType {
    static func schema(by reader: SchemaReader) -> JSONSchema
    static var absent: Any { get }
}

extension Optional: OptionalType where Wrapped: Decodable {
    static func schema(by reader: SchemaReader) -> JSONSchema {
        .either([reader.schema(of: Wrapped.self), JSONSchema.null])
    }

    static var absent: Any { Wrapped?.none as Any }
}

/// A dictionary whose keys are texts or numbers, which JSON has as an object.
private protocol StringKeyed {
    static func schema(by reader: SchemaReader) -> JSONSchema
    static var empty: Any { get }
}

extension Dictionary: StringKeyed where Value: Decodable {
    static func schema(by reader: SchemaReader) -> JSONSchema { .map(of: reader.schema(of: Value.self)) }
    static var empty: Any { [Key: Value]() }
}
