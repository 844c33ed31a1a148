/// The location of an uploaded asset, in places where other locations name a file: `asset:` and the sha256 of its
/// bytes.
package enum AssetLocation {
    private static let prefix = "asset:"

    package static func location(of hash: String) -> String { prefix + hash }

    /// The text in place of the sha256, unchecked; nil where the location is not an asset's.
    package static func hash(of location: String) -> String? {
        location.hasPrefix(prefix) ? String(location.dropFirst(prefix.count)) : nil
    }

    package static func matches(_ location: String) -> Bool { location.hasPrefix(prefix) }
}
