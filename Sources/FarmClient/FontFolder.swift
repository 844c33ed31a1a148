import DraftCompiler
public import DraftModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder `fonts` beside a draft: the font files in it are the draft's own unless it names others.
public enum FontFolder {
    private static let name = "fonts"
    private static let extensions: Set = ["ttf", "otf", "ttc", "otc", "woff"]

    /// The font files beside a draft, as locations relative to it, by name.
    /// - Parameter folder: the draft's.
    public static func files(besideDraftIn folder: String) -> [String] {
        // No such folder is the usual case.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
        return names.filter { extensions.contains($0.split(separator: ".").last.map { $0.lowercased() } ?? "") }.sorted()
            .map { "\(name)/\($0)" }
    }

    /// Gives a draft that writes anything, and names no fonts, those beside it.
    public static func complete(_ draft: inout Draft, in folder: String) {
        guard draft.fonts == nil, writes(draft) else { return }
        let found = files(besideDraftIn: folder)
        if !found.isEmpty { draft.fonts = found.map { DraftFont(url: $0) } }
    }

    /// Whether anything is drawn with a font.
    static func writes(_ draft: Draft) -> Bool { SourceUse.all(in: draft).contains { $0.need == .lettering } }
}
