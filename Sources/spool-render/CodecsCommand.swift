import ArgumentParser
import Media
import ExportPlan
import Rendering
import Vocabulary

/// `spool-render codecs` lists the installed codecs. `spool doctor` runs it.
struct CodecsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codecs", abstract: "Print which media libraries and codecs are installed, as JSON.")

    func run() throws {
        let encoders =
            FormatCatalogue.videoCodecs.map { ($0.encoder, $0.isRequired) }
            + FormatCatalogue.audioCodecs.map { ($0.encoder, $0.isRequired) }
        // PNG is the format of single frames.
        let required = encoders.filter(\.1).map(\.0) + ["png"]
        let codecs = InstalledCodecs(
            libraries: LinkedLibraries.versions.map { .init(name: $0.name, version: $0.version) },
            encoders: required.map { .init(name: $0, isInstalled: MediaRuntime.hasEncoder($0)) },
            furtherEncoders: encoders.filter { !$0.1 }.map { .init(name: $0.0, isInstalled: MediaRuntime.hasEncoder($0.0)) },
            decoders: ["h264", "hevc", "vp9", "libdav1d", "prores", "mjpeg", "aac", "mp3float", "opus", "webp"].map {
                .init(name: $0, isInstalled: MediaRuntime.hasDecoder($0))
            },
            muxers: FormatCatalogue.containers.map {
                .init(name: $0.muxer, isInstalled: MediaRuntime.hasMuxer($0.muxer))
            })
        print(String(decoding: try MessageLine.encode(codecs), as: UTF8.self), terminator: "")
    }
}
