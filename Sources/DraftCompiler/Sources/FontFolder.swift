package import DraftModel
import FoundationEssentials

/// The folder `fonts` beside a draft. Its font files belong to the draft unless the draft names fonts itself.
package enum FontFolder {
    private static let name = "fonts"
    private static let extensions: Set = ["ttf", "otf", "ttc", "otc", "woff"]

    /// The font files beside a draft, sorted by name, as paths relative to the draft.
    /// - Parameter folder: the draft's folder.
    package static func files(besideDraftIn folder: String) -> [String] {
        // Most drafts have no such folder.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
        return names.filter { extensions.contains($0.split(separator: ".").last.map { $0.lowercased() } ?? "") }.sorted()
            .map { "\(name)/\($0)" }
    }

    /// Adds the fonts beside a draft to it when the draft draws text and names no fonts.
    package static func complete(_ draft: inout Draft, in folder: String) {
        guard draft.fonts == nil, drawsText(draft) else { return }
        let found = files(besideDraftIn: folder)
        if !found.isEmpty { draft.fonts = found.map { DraftFont(url: $0) } }
    }

    /// Whether the draft draws anything with a font.
    package static func drawsText(_ draft: Draft) -> Bool { SourceUse.all(in: draft).contains { $0.need == .text } }
}
