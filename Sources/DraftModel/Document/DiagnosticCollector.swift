/// Collects the faults that readers find, so that one fault does not hide the next. It also counts the things that are
/// limited over the whole document.
final class DiagnosticCollector {
    /// A kind of thing that is counted over the whole document.
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
            case .operations: "operations and audio filters, with their bands and echoes"
            case .keyframes: "keyframes and volume ramps"
            case .textBytes: "bytes of text"
            }
        }
    }

    private var list = DiagnosticList()
    private var totals: [Total: Int] = [:]
    /// The field names that readers ask for, by the path of the object; nil if they are not recorded.
    private(set) var fields: [String: [String]]?
    /// The number of groups and masks around what is being read.
    var nesting = 0
    /// What conditions removed from the document.
    var removed = RemovedElements()

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

    /// - Parameter recordsFields: whether to record the field names, for `Draft.fields`.
    init(recordsFields: Bool = false) {
        if recordsFields { fields = [:] }
    }

    /// Records that a reader asks for a field of the object at a path.
    func note(_ name: String, of path: String) {
        if fields?[path]?.contains(name) != true { fields?[path, default: []].append(name) }
    }

    /// Adds to a total. It reports the place at which the total exceeds its limit.
    /// - Returns: whether the total is within its limit.
    func count(_ total: Total, _ number: Int = 1, at path: String) -> Bool {
        let before = totals[total, default: 0]
        totals[total] = before + number
        guard before + number > total.limit else { return true }
        if before <= total.limit {
            report(path, .outOfRange, "exceeds the limits of a draft: \(total.limit) \(total.name)")
        }
        return false
    }

    /// Reads a JSON document to its end, whatever faults it has.
    /// - Parameter read: reads the value and reports faults to the given collector. It throws if the text is not JSON.
    /// - Returns: the value as far as it can be read (nil if it is not a JSON object), and all diagnostics.
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
