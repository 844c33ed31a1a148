package import FoundationEssentials

/// A draft document that has been parsed, and that is read with other values for its merge fields each time.
///
/// A batch has one template and a row of values for each of its exports. Parsing takes most of the time that reading a
/// draft takes, and is done once.
package struct DraftTemplate: Sendable {
    private let document: JSONValue

    /// - Throws: `DraftError` with one `syntax` diagnostic if the text is not JSON.
    package init(_ data: Data) throws(DraftError) {
        document = try JSONValue.parse(data)
    }

    /// Reads the draft to its end, whatever faults it has; see `Draft.read`.
    package func read(parameters: [String: String]) -> (draft: Draft?, diagnostics: [DraftDiagnostic]) {
        var filled = document
        let found = DiagnosticCollector.reading { collector -> Draft? in
            filled = fillInParameters(document, overrides: parameters, collector: collector)
            guard var reader = ObjectReader(filled, path: "", collector: collector) else { return nil }
            guard !OtherProgram.owns(reader) else { return nil }
            var draft = Draft(&reader)
            draft.removed = collector.removed
            reader.finish()
            return draft
        }
        return (found.value, found.diagnostics.naming(elementsOf: filled))
    }

    /// The names of all merge fields, those of conditions included.
    package var fieldNames: Set<String> {
        guard case .object(var members) = document else { return [] }
        members["parameters"] = nil
        return JSONValue.object(members).mergeFieldNames
    }

    /// The names of the values that the draft's own `parameters` have.
    package var declaredNames: Set<String> {
        guard case .object(let values)? = document.member("parameters") else { return [] }
        return Set(values.keys)
    }

    /// The names of the merge fields at a place of the document and in it; empty where there is no such place.
    /// - Parameter path: the path, as in diagnostics.
    package func fieldNames(at path: String) -> Set<String> {
        var value: JSONValue? = document
        for part in path.split(separator: ".") {
            let names = part.split(separator: "[")
            guard let name = names.first else { return [] }
            value = value?.member(String(name))
            for index in names.dropFirst() {
                guard case .array(let elements)? = value, let index = Int(index.dropLast()), elements.indices.contains(index)
                else { return [] }
                value = elements[index]
            }
        }
        return value?.mergeFieldNames ?? []
    }
}
