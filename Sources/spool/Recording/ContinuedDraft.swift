import CommandLineInterface
import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import FoundationEssentials

/// A draft that a recording continues: read, checked with its sources, and with absolute paths, so that it means the same
/// wherever the recording lies.
struct ContinuedDraft {
    private let draft: Draft
    private let duration: MediaTime
    private let size: FrameSize
    private let frameRate: FrameRate

    /// - Parameters:
    ///   - path: the draft; `-` is standard input.
    ///   - parameters: values of its merge fields.
    /// - Throws: `CommandFailure` with every error of the draft and its sources.
    init(_ path: String, _ parameters: [String: String], _ work: WorkOptions) async throws {
        let (data, folder) = try DraftPreparation.readDraft(path)
        let prepared = try await DraftPreparation(data, in: folder, parameters: parameters, work)
        try Warnings(isStrict: false).tell(prepared.warnings)
        draft = try prepared.draft.withAbsolutePaths(in: folder)
        duration = prepared.composition.duration
        size = prepared.composition.canvas
        frameRate = prepared.composition.frameRate
    }

    /// Makes a recording's settings those of one that continues the draft.
    /// - Throws: `CommandFailure` where the draft cannot be continued.
    func begin(_ settings: inout RecordingSettings) throws {
        settings.draft = draft
        settings.draftDuration = duration
        // Pictures that are copied keep their own size and rate.
        if settings.encoding.preset != .passthrough {
            if settings.videoSize == nil { settings.videoSize = PixelSize(width: size.width, height: size.height) }
            if settings.frameRate == nil { settings.frameRate = frameRate }
        }
        let (read, faults) = RecordingSettings.read(try JSONEncoder().encode(settings))
        guard let read, faults.errors.isEmpty else { throw CommandFailure(DraftError(faults)) }
        settings = read
    }
}

extension Draft {
    /// The draft without what conditions removed, its files named by absolute paths.
    /// - Parameter folder: the folder that relative paths start from.
    fileprivate func withAbsolutePaths(in folder: String) throws -> Draft {
        struct Replacement: Encodable {
            var op = "replace"
            var path: String
            var value: String
        }
        let document = try JSONEncoder().encode(self)
        let (kept, faults) = Draft.read(document)
        guard let kept, faults.errors.isEmpty else { throw CommandFailure(DraftError(faults)) }
        let base = URL(fileURLWithPath: folder).standardizedFileURL.path
        let replacements = SourceUse.all(in: kept).filter { $0.isFile && $0.isRelativePath }.map { use in
            Replacement(path: use.pointer, value: "\(base)/\(use.url)")
        }
        let patched = try DraftPatch(try JSONEncoder().encode(replacements)).apply(to: document)
        let (absolute, errors) = Draft.read(patched)
        guard let absolute, errors.errors.isEmpty else { throw CommandFailure(DraftError(errors)) }
        return absolute
    }
}

extension SourceUse {
    fileprivate var isRelativePath: Bool {
        !url.isEmpty && !url.hasPrefix("/") && !url.contains("://") && !AssetLocation.matches(url) && !RemoteLocation.matches(url)
    }

    /// The place of its location as a JSON Pointer: `/layers/2/source/url`.
    fileprivate var pointer: String {
        "/" + path.replacing("[", with: "/").replacing("]", with: "").replacing(".", with: "/")
    }
}
