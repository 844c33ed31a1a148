import ExportPlan
import FoundationEssentials

/// The record of an artifact: its size and checksum, and the warnings about damage that was concealed while it was made.
///
/// Its text is `SIZE SHA256`, and where there are warnings, a second line with them as JSON.
struct ArtifactRecord: Sendable {
    /// The first line, which two artifacts with the same bytes share.
    let sum: Substring
    private let warningsLine: Substring?

    init(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        sum = lines.first ?? ""
        warningsLine = lines.count > 1 && !lines[1].isEmpty ? lines[1] : nil
    }

    /// Nil where the record is none.
    var byteCount: Int64? { sum.split(separator: " ").first.flatMap { Int64($0) } }

    /// The sha256 of the bytes; nil where the record is none.
    var hash: String? {
        let parts = sum.split(separator: " ")
        return parts.count == 2 && parts[1].utf8.count == 64 ? String(parts[1]) : nil
    }

    /// No warnings where they have a newer format.
    var warnings: [SourceWarning] {
        warningsLine.flatMap { try? JSONDecoder().decode([SourceWarning].self, from: Data($0.utf8)) } ?? []
    }
}
