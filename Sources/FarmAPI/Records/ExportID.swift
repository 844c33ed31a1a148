/// The id of an export.
package struct ExportID: UUIDIdentifier, Comparable {
    package static let thing = "export"

    package let text: String

    package init(lowercased: String) { text = lowercased }

    package static func < (left: ExportID, right: ExportID) -> Bool { left.text < right.text }
}
