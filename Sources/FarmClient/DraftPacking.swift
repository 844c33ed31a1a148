import ContentHashing
import DraftCompiler
import DraftModel
import ExportPlan
package import FarmAPI
package import FoundationEssentials

/// Turns drafts that name files of this machine into drafts that the farm can render: the files are uploaded, and the
/// draft names them `asset:<sha256>`. Fonts in the folder `fonts` beside the draft are added. All other bytes of the
/// document stay the same.
///
/// One instance can pack any number of drafts; a file that several drafts use is hashed and uploaded once.
package actor DraftPacking {
    private let client: FarmClient
    private var hashes: [String: String] = [:]
    private let uploaded: @Sendable (_ path: String, _ byteCount: Int) -> Void

    /// - Parameter uploaded: called for every file that the farm did not have.
    package init(_ client: FarmClient, uploaded: @escaping @Sendable (_ path: String, _ byteCount: Int) -> Void = { _, _ in }) {
        self.client = client
        self.uploaded = uploaded
    }

    /// A draft to be rendered, with its parameters. Parameters that occurred only in file names are resolved and left
    /// out.
    /// - Parameters:
    ///   - folder: the folder that relative paths start from.
    ///   - label: the label when neither the options nor the draft's title give one.
    /// - Throws: `ClientFailure` with every error of the draft, the settings and the files.
    package func submission(
        of document: Data, folder: String, options: ExportSubmission.Options, label: String?
    ) async throws -> ExportSubmission {
        var options = options
        let parameters = options.parameters ?? [:]
        let reading = DraftReading(document, parameters: parameters, settings: ExportSettings.aboutFilm(options.settings ?? [:]))
        let packed = try await pack(document, reading, folder: folder, isTemplate: false)
        if options.label == nil, reading.draft?.title == nil { options.label = label }
        if !parameters.isEmpty {
            // Parameters that only named files have been replaced with the files, and the farm would not know them.
            let unused = Draft.read(packed, parameters: parameters).diagnostics.filter { $0.code == .unknownParameter }
            let names = Set(unused.map { String($0.path.dropFirst("parameters.".count)) })
            options.parameters = parameters.filter { !names.contains($0.key) }
        }
        return ExportSubmission(document: String(decoding: packed, as: UTF8.self), options: options)
    }

    /// A draft for the library. Its merge fields are kept, also in file names.
    /// - Parameter addsFonts: whether the fonts in the folder beside it are added.
    /// - Throws: `ClientFailure` with every error of the draft and the files.
    package func template(of document: Data, folder: String, addsFonts: Bool = true) async throws -> Data {
        try await pack(
            document, DraftReading(template: document), folder: folder, isTemplate: true, addsFonts: addsFonts)
    }

    private func pack(
        _ document: Data, _ reading: DraftReading, folder: String, isTemplate: Bool, addsFonts: Bool = true
    ) async throws -> Data {
        var faults = reading.diagnostics
        let text = JSONText(document)
        var places: [(range: Range<Int>, path: String)] = []
        // A faulty clip is left out of the parsed draft, which shifts the indexes of later clips. For a template the
        // sources are therefore read from its text.
        let uses = isTemplate ? DraftPacking.plainSources(of: text) : reading.draft.map(DraftPacking.sources) ?? []
        let ranges = text.values(at: uses.map(\.path))
        for use in uses where DraftPacking.isLocal(use.url) {
            guard let range = ranges[use.path] else { continue }
            if let fault = DraftPacking.fault(of: use.url, at: use.path, in: folder) {
                faults.append(fault)
            } else {
                places.append((range, DraftPacking.path(of: use.url, in: folder)))
            }
        }
        guard faults.errors.isEmpty else {
            if let draft = reading.draft { faults = faults.naming(elementsOf: draft) }
            throw ClientFailure(.draft, faults.errorCount(of: "the draft or its settings"), diagnostics: faults)
        }
        var replacements: [(range: Range<Int>, text: String)] = []
        for (range, path) in places {
            replacements.append((range, "\"\(AssetLocation.location(of: try await hash(of: path)))\""))
        }
        let packed = text.replacing(replacements)
        guard addsFonts, let draft = reading.draft, draft.fonts == nil, FontFolder.drawsText(draft) else { return packed.data }
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

    /// Every source in the document whose text has no merge field. A draft names sources in `url` and nowhere else; in
    /// its metadata and parameters `url` is a name without this meaning.
    private static func plainSources(of text: JSONText) -> [(path: String, url: String)] {
        text.members(named: "url", outsideOf: ["metadata", "parameters"]).compactMap { path, range in
            // A value that is not a string has been reported as an error of the draft.
            guard let url = try? JSONDecoder().decode(String.self, from: Data(text.bytes[range])), !url.contains("{{") else {
                return nil
            }
            return (path, url)
        }
    }

    /// Uploads a source that is a file of this machine, and says where it is on the farm.
    func asset(of url: String, in folder: String) async throws -> String {
        AssetLocation.location(of: try await hash(of: DraftPacking.path(of: url, in: folder)))
    }

    private static func path(of url: String, in folder: String) -> String { url.hasPrefix("/") ? url : folder + "/" + url }

    /// Why a location is no file of this machine that can be uploaded; nil where it is.
    /// - Parameter place: the path in the draft that names it.
    static func fault(of url: String, at place: String, in folder: String) -> DraftDiagnostic? {
        let path = path(of: url, in: folder)
        if let complaint = FileKind.complaint(about: path) {
            return DraftDiagnostic(path: place, code: .unreadableSource, message: "'\(url)' \(complaint)")
        }
        guard !FileManager.default.fileExists(atPath: path) else { return nil }
        return DraftDiagnostic(path: place, code: .missingSource, message: "'\(url)' is not a file on this machine")
    }

    static func isLocal(_ url: String) -> Bool {
        !url.isEmpty && !AssetLocation.matches(url) && !RemoteLocation.matches(url) && !url.contains("://")
    }
}
