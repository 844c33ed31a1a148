import DraftModel
import ExactTime
import ExportPlan
import Streaming
import FoundationEssentials

/// The content of the page, as the file `state.json`. docs/preview.md explains it.
struct PreviewState: Encodable {
    struct Size: Encodable {
        var width: Int
        var height: Int

        init(_ size: FrameSize) { (width, height) = (size.width, size.height) }
    }

    struct Rate: Encodable {
        var numerator: Int64
        var denominator: Int64
    }

    struct Pictures: Encodable {
        struct Segment: Encodable {
            var file: String
            var first: Int
            var count: Int
        }

        var codec: String
        var header: String
        var segments: [Segment]
    }

    struct Sound: Encodable {
        struct Segment: Encodable {
            var file: String
            var start: Double
            var duration: Double
        }

        var codec: String
        var header: String
        var segments: [Segment]
    }

    struct Fault: Encodable {
        var severity: String
        var path: String
        var message: String
    }

    var revision: Int
    var draft: String
    var title: String?
    var size: Size?
    var proxy: Size?
    var proxyReason: String?
    var frameRate: Rate?
    var frameCount: Int?
    var duration: Double?
    var pictures: Pictures?
    var sound: Sound?
    var timeline: [PreviewStrip] = []
    var diagnostics: [Fault]
    var isBroken: Bool

    /// - Parameters:
    ///   - version: the last good version; nil where there was none.
    ///   - tracks: the headers of pictures and sound, as far as something was rendered.
    ///   - failure: what is wrong with the draft now; nil where it is good.
    init(
        revision: Int, draft: String, _ version: PreviewVersion?,
        tracks: (pictures: PreviewMedia.Track?, sound: PreviewMedia.Track?),
        failure: [Fault]?
    ) {
        self.revision = revision
        self.draft = draft
        isBroken = failure != nil
        diagnostics = failure ?? version.map { $0.prepared.warnings.map(Fault.init) + PreviewState.notes(of: $0) } ?? []
        guard let version else { return }
        let composition = version.prepared.composition
        title = version.prepared.draft.title
        size = Size(composition.canvas)
        proxy = Size(version.proxy.size)
        proxyReason = version.proxy.reason
        let rate = composition.frameRate.framesPerSecond
        frameRate = Rate(numerator: Int64(rate.numerator), denominator: Int64(rate.denominator))
        frameCount = composition.frameCount
        duration = composition.duration.doubleValue
        timeline = PreviewStrip.all(of: version)
        // A browser has to know the codecs of both before it begins.
        guard tracks.pictures != nil, version.sounds.isEmpty || tracks.sound != nil else { return }
        pictures = tracks.pictures.map { track in
            Pictures(
                codec: track.codec, header: track.header,
                segments: version.pictures.map { .init(file: $0.file, first: $0.frames.lowerBound, count: $0.frames.count) })
        }
        sound = tracks.sound.map { track in
            Sound(
                codec: track.codec, header: track.header,
                segments: version.sounds.map { .init(file: $0.file, start: $0.start, duration: $0.duration) })
        }
    }

    /// The parts of the draft that its preview leaves out.
    private static func notes(of version: PreviewVersion) -> [Fault] {
        guard let audio = version.prepared.draft.audio,
            audio.loudness != nil || audio.limiter == true || audio.audioFilters?.isEmpty == false
        else { return [] }
        return [
            Fault(
                severity: "warning", path: "audio",
                message: "loudness, limiter and filters of the mix need the whole sound and are left out of the preview; "
                    + "'spool export' applies them")
        ]
    }
}

extension PreviewState.Fault {
    init(_ diagnostic: DraftDiagnostic) {
        let remedy = diagnostic.remedy.map { "; \($0)" } ?? ""
        self.init(severity: diagnostic.severity.rawValue, path: diagnostic.path, message: diagnostic.message + remedy)
    }
}
