import ContentHashing
import DraftCompiler
import DraftModel
import ExportPlan
public import FarmAPI

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes drafts that name files of this machine into drafts that the farm can render: the files are uploaded, and the draft
/// names them `asset:<sha256>`; fonts in the folder `fonts` beside it are added. All the rest of the document stays as it was written.
///
/// One of these serves any number of drafts; a file that many of them use is looked at once.
public actor DraftPacking {
    private let client: FarmClient
    private var hashes: [String: String] = [:]
    private let uploaded: @Sendable (_ path: String, _ byteCount: Int) -> Void

    /// - Parameter uploaded: told every file that the farm did not have.
    public init(_ client: FarmClient, uploaded: @escaping @Sendable (_ path: String, _ byteCount: Int) -> Void = { _, _ in }) {
        self.client = client
        self.uploaded = uploaded
    }

    /// A draft to be rendered, with its parameters; those that only stood in names of files are used up.
    /// - Parameters:
    ///   - folder: what relative paths are relative to.
    ///   - label: what it is called when neither the options nor the draft's title say so.
    /// - Throws: `ClientFailure` with every fault of draft, settings and files.
    public func submission(
        of document: Data, folder: String, options: ExportSubmission.Options, label: String?
    ) async throws -> ExportSubmission {
        var options = options
        let parameters = options.parameters ?? [:]
        let (_, settingFaults) = ExportSettings.read(options.settings ?? [:])
        let faults = settingFaults.map {
            $0.under("settings")
        }
        let packed = try await pack(document, folder: folder, parameters: parameters, faults: faults, isTemplate: false)
        let (draft, diagnostics) = Draft.read(packed, parameters: parameters)
        if options.label == nil, draft?.title == nil { options.label = label }
        let unused = diagnostics.filter { $0.code == .unknownParameter }
        let names = Set(unused.map { String($0.path.dropFirst("parameters.".count)) })
        options.parameters = parameters.filter { !names.contains($0.key) }
        return ExportSubmission(document: String(decoding: packed, as: UTF8.self), options: options)
    }

    /// A draft for the library: merge fields stay as they are, also in names of files.
    /// - Throws: `ClientFailure` with every fault of draft and files.
    public func template(of document: Data, folder: String) async throws -> Data {
        try await pack(document, folder: folder, parameters: [:], faults: [], isTemplate: true)
    }

    private func pack(
        _ document: Data, folder: String, parameters: [String: String], faults: [DraftDiagnostic], isTemplate: Bool
    ) async throws -> Data {
        let (draft, draftFaults) = Draft.read(document, parameters: parameters)
        var faults = draftFaults.filter { !isTemplate || $0.code != .missingParameter } + faults
        let text = JSONText(document)
        var places: [(range: Range<Int>, path: String)] = []
        // A faulty clip is missing from the draft and moves the places of the others: a template's are read from its text.
        let uses = isTemplate ? DraftPacking.plainSources(of: text) : draft.map(DraftPacking.sources) ?? []
        for use in uses where DraftPacking.isLocal(use.url) {
            guard let range = text.value(at: use.path) else { continue }
            let path = use.url.hasPrefix("/") ? use.url : folder + "/" + use.url
            if let complaint = FileKind.complaint(about: path) {
                faults.append(
                    DraftDiagnostic(path: use.path, code: .unreadableSource, message: "'\(use.url)' \(complaint)"))
            } else if FileManager.default.fileExists(atPath: path) {
                places.append((range, path))
            } else {
                faults.append(
                    DraftDiagnostic(path: use.path, code: .missingSource, message: "'\(use.url)' is no file on this machine"))
            }
        }
        guard faults.errors.isEmpty else {
            let count = faults.count == 1 ? "one fault" : "\(faults.count) faults"
            throw ClientFailure(.draft, "the draft or its settings have \(count)", diagnostics: faults)
        }
        var replacements: [(range: Range<Int>, text: String)] = []
        for (range, path) in places {
            replacements.append((range, "\"\(AssetLocation.location(of: try await hash(of: path)))\""))
        }
        let packed = text.replacing(replacements)
        guard let draft, draft.fonts == nil, FontFolder.writes(draft) else { return packed.data }
        var fonts: [String] = []
        for file in FontFolder.files(besideDraftIn: folder) {
            let location = AssetLocation.location(of: try await hash(of: folder + "/" + file))
            fonts.append("{\"url\": \"\(location)\"}")
        }
        return fonts.isEmpty ? packed.data : packed.adding("fonts", "[\(fonts.joined(separator: ", "))]").data
    }

    private func hash(of path: String) async throws -> String {
        if let known = hashes[path] { return known }
        let (hash, byteCount, wasSent) = try await client.putAsset(path)
        if wasSent { uploaded(path, byteCount) }
        hashes[path] = hash
        return hash
    }

    private static func sources(of draft: Draft) -> [(path: String, url: String)] {
        SourceUse.all(in: draft).filter(\.isFile).map { ($0.path, $0.url) }
    }

    /// Every place for a source whose text has no merge field: a draft names sources in `url` and nowhere else. In its metadata and
    /// parameters that is a name like any other.
    private static func plainSources(of text: JSONText) -> [(path: String, url: String)] {
        text.members(named: "url", outsideOf: ["metadata", "parameters"]).compactMap { path, range in
            // What is no string has been reported as a fault of the draft.
            guard let url = try? JSONDecoder().decode(String.self, from: Data(text.bytes[range])), !url.contains("{{") else {
                return nil
            }
            return (path, url)
        }
    }

    private static func isLocal(_ url: String) -> Bool {
        !url.isEmpty && !AssetLocation.isOne(url) && !url.contains("://")
    }
}
