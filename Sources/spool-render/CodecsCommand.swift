import ArgumentParser
import Media
import RenderMessages

/// `spool-render codecs`: what `spool doctor` asks.
struct CodecsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codecs", abstract: "Print which media libraries and codecs are installed, as JSON.")

    func run() throws {
        let codecs = InstalledCodecs(
            libraries: MediaRuntime.versions.map { .init(name: $0.name, version: $0.version) },
            encoders: ["libx264", "aac", "png"].map { .init(name: $0, isInstalled: MediaRuntime.hasEncoder($0)) },
            furtherEncoders: [
                "libx265", "libvpx-vp9", "libsvtav1", "prores_ks", "libopus", "libmp3lame", "flac", "gif", "libwebp_anim",
            ].map {
                .init(name: $0, isInstalled: MediaRuntime.hasEncoder($0))
            },
            decoders: ["h264", "hevc", "vp9", "libdav1d", "prores", "mjpeg", "aac", "mp3float", "opus", "webp"].map {
                .init(name: $0, isInstalled: MediaRuntime.hasDecoder($0))
            })
        print(String(decoding: try MessageLine.encode(codecs), as: UTF8.self), terminator: "")
    }
}
