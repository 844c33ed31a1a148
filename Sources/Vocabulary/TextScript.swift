/// Small letters above or below the line, by the names in drafts and plans.
package enum TextScript: String, CaseIterable, Hashable, Sendable, Codable {
    case superscript, `subscript`
}
