/// A file of the page, built into the program.
struct PageAsset: Sendable {
    /// The name in addresses, such as `preview.js`.
    let name: String
    let mediaType: String
    let bytes: [UInt8]

    /// The page itself, at `/`.
    static let page = PageAsset(name: "", mediaType: "text/html; charset=utf-8", bytes: PackageResources.preview_html)

    /// The files that the page loads. Modules of the script import each other by these names.
    static let all = [
        PageAsset(name: "preview.css", mediaType: "text/css; charset=utf-8", bytes: PackageResources.preview_css),
        PageAsset(name: "icon.svg", mediaType: "image/svg+xml", bytes: PackageResources.icon_svg),
        script("preview.js", PackageResources.preview_js), script("player.js", PackageResources.player_js),
        script("track.js", PackageResources.track_js), script("timeline.js", PackageResources.timeline_js),
        script("drawing.js", PackageResources.drawing_js), script("lists.js", PackageResources.lists_js),
        script("keys.js", PackageResources.keys_js), script("timecode.js", PackageResources.timecode_js),
    ]

    private static func script(_ name: String, _ bytes: [UInt8]) -> PageAsset {
        PageAsset(name: name, mediaType: "text/javascript; charset=utf-8", bytes: bytes)
    }
}
