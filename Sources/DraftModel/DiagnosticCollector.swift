/// Where readers put what they find wrong, so that one fault does not hide the next, and count what a document has of things that are
/// limited in all of it together.
final class DiagnosticCollector {
    /// What is counted over the whole document.
    enum Total: Hashable {
        case layers, operations, keyframes, textBytes

        var limit: Int {
            switch self {
            case .layers: DraftLimits.layers
            case .operations: DraftLimits.allOperations
            case .keyframes: DraftLimits.allKeyframes
            case .textBytes: DraftLimits.allTextBytes
            }
        }

        var name: String {
            switch self {
            case .layers: "layers, masks and layers of groups included"
            case .operations: "operations"
            case .keyframes: "keyframes and volume ramps"
            case .textBytes: "bytes of text"
            }
        }
    }

    private var list = DiagnosticList()
    private var totals: [Total: Int] = [:]
    /// Names that readers ask for, by the path of the object; nil where nobody wants to know.
    private(set) var fields: [String: [String]]?
    /// Groups and masks around what is being read.
    var nesting = 0

    var diagnostics: [DraftDiagnostic] { list.all }
    var hasErrors: Bool { list.errorCount > 0 }
    /// Whether further errors are only counted.
    var isFull: Bool { list.isFull }

    func report(_ path: String, _ code: DraftDiagnostic.Code, _ message: String) {
        list.append(DraftDiagnostic(path: path, code: code, message: message))
    }

    func warn(_ path: String, _ code: DraftDiagnostic.Code, _ message: String, remedy: String) {
        list.append(DraftDiagnostic(path: path, code: code, severity: .warning, message: message, remedy: remedy))
    }

    /// - Parameter recordsFields: for `Draft.fields`.
    init(recordsFields: Bool = false) {
        if recordsFields { fields = [:] }
    }

    /// A reader asks for a field of the object at a path.
    func note(_ name: String, of path: String) { fields?[path, default: []].append(name) }

    /// Counts what the document has more of, and reports the place at which it becomes too much.
    /// - Returns: whether there is still room for it.
    func count(_ total: Total, _ number: Int = 1, at path: String) -> Bool {
        let before = totals[total, default: 0]
        totals[total] = before + number
        guard before + number > total.limit else { return true }
        if before <= total.limit {
            report(path, .outOfRange, "is beyond what a draft may have: \(total.limit) \(total.name)")
        }
        return false
    }

    /// Reads a JSON document, and goes on past every fault.
    /// - Parameter read: reads the value with the collector that it is given; throws where the text is no JSON.
    /// - Returns: the value as far as it can be read (nil when it is not a JSON object), and all that is wrong with it.
    static func reading<Value>(
        _ read: (DiagnosticCollector) throws -> Value?
    ) -> (value: Value?, diagnostics: [DraftDiagnostic]) {
        let collector = DiagnosticCollector()
        do {
            let value = try read(collector)
            return (value, collector.diagnostics)
        } catch let error as DraftError {
            return (nil, error.diagnostics)
        } catch {
            return (nil, [DraftDiagnostic(path: "", code: .syntax, message: "this is not JSON: \(error)")])
        }
    }
}
