/// How a location names an uploaded source of a farm where others name a file: `asset:` and the sha256 of its bytes.
public enum AssetLocation {
    private static let prefix = "asset:"

    public static func location(of hash: String) -> String { prefix + hash }

    /// What stands where the sha256 belongs; nil where the location is not an asset's.
    public static func hash(of location: String) -> String? {
        location.hasPrefix(prefix) ? String(location.dropFirst(prefix.count)) : nil
    }

    public static func isOne(_ location: String) -> Bool { location.hasPrefix(prefix) }
}
