import ContentHashing

/// A file that pages load: the style sheet, the script and the icon. They are built into the program.
///
/// The name of each has a hash of its bytes, so that browsers keep it for as long as they like, and ask for another one
/// as soon as it has changed.
package struct StaticAsset: Sendable {
    /// The name in addresses, such as `dashboard.1f0c….css`.
    package let name: String
    package let mediaType: String
    package let bytes: [UInt8]

    private init(_ name: String, _ suffix: String, _ mediaType: String, _ bytes: [UInt8]) {
        self.name = "\(name).\(ContentHash.of(bytes).prefix(16)).\(suffix)"
        self.mediaType = mediaType
        self.bytes = bytes
    }

    var address: Address { Address("ui", "assets", name) }

    package static let styles = StaticAsset(
        "dashboard", "css", "text/css; charset=utf-8", PackageResources.dashboard_css)
    package static let script = StaticAsset(
        "dashboard", "js", "text/javascript; charset=utf-8", PackageResources.dashboard_js)
    package static let icon = StaticAsset("icon", "svg", "image/svg+xml", PackageResources.icon_svg)

    package static let all = [styles, script, icon]

    /// The icon as browsers ask for it by themselves.
    package static func named(_ name: String) -> StaticAsset? { all.first { $0.name == name } }
}
