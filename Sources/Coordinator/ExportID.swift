/// The name of an export.
public struct ExportID: UUIDName, Comparable {
    public static let thing = "export"

    public let text: String

    public init(lowercased: String) { text = lowercased }

    public static func < (left: ExportID, right: ExportID) -> Bool { left.text < right.text }
}
