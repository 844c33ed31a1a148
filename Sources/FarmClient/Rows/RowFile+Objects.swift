import FarmAPI
import DraftModel
import FoundationEssentials

extension RowFile {
    /// Reads a line of JSON Lines: an object of texts, numbers and booleans. A number becomes its shortest exact
    /// text (`1.50` becomes `1.5`), and a value of `null` is the same as none.
    static func object(_ data: Data, line: Int) throws(Fault) -> [String: String] {
        let members: [String: DraftValue]
        do throws(DraftError) {
            members = try DraftValue.members(of: data)
        } catch {
            throw Fault(line: line, error.diagnostics.first?.message ?? "is not JSON")
        }
        var values: [String: String] = [:]
        for (name, value) in members {
            switch value {
            case .none: continue
            case .text(let text): values[name] = text
            case .other(let kind):
                throw Fault(line: line, "column '\(name)': must be a text, a number or a boolean, not \(kind)")
            }
            if name.isEmpty { throw Fault(line: line, "has a column without a name") }
        }
        return values
    }
}
