package import FoundationEssentials

/// How a film was made: of which draft and sources, by which program, in which jobs, on this machine or on a farm. It is a
/// file in JSON beside the film, from which `spool verify` checks the film and `spool reproduce` makes it again
/// (docs/provenance.md).
///
/// Members that only a farm's film has are optional, so that each program with this version of the format reads all of
/// them.
package struct FilmProvenance: Hashable, Sendable, Codable {
    /// The version of this format. A reader refuses others.
    package static let currentVersion = 1
    /// The text that follows the name of the film's file.
    package static let suffix = ".provenance.json"

    package var version = FilmProvenance.currentVersion
    package var film: File
    /// The picture files beside the film.
    package var files: [File]
    package var draft: Draft
    /// The files that the draft names, in the order of their locations.
    package var sources: [Source]
    /// The font files that texts and captions are drawn with, in the order of their names.
    package var fonts: [Font]
    package var program: Software
    /// The jobs of the film's plan, in the plan's order.
    package var jobs: [Job]
    /// The time at which the export began.
    package var began: Date
    /// How long it took, in seconds.
    package var seconds: Double
    /// The words of the command that made the film; for a farm's film, of the command that makes it again.
    package var command: [String]
    /// The export of a farm; nil for a film that `spool export` made.
    package var export: FarmExport?

    package init(
        film: File, files: [File], draft: Draft, sources: [Source], fonts: [Font], program: Software, jobs: [Job],
        began: Date, seconds: Double, command: [String], export: FarmExport? = nil
    ) {
        self.film = film
        self.files = files
        self.draft = draft
        self.sources = sources
        self.fonts = fonts
        self.program = program
        self.jobs = jobs
        self.began = began
        self.seconds = seconds
        self.command = command
        self.export = export
    }

    /// The export of a farm that made the film.
    package struct FarmExport: Hashable, Sendable, Codable {
        package var id: String
        /// The export's name for people.
        package var label: String
        /// The id of the farm, which the marker file of its store carries, too.
        package var farm: String

        package init(id: String, label: String, farm: String) {
            self.id = id
            self.label = label
            self.farm = farm
        }
    }

    /// A file that the export has written.
    package struct File: Hashable, Sendable, Codable {
        /// Its name without a folder.
        package var name: String
        package var sha256: String
        package var byteCount: Int

        package init(name: String, sha256: String, byteCount: Int) {
            self.name = name
            self.sha256 = sha256
            self.byteCount = byteCount
        }
    }

    /// The draft, and what the export was told of it.
    package struct Draft: Hashable, Sendable, Codable {
        /// The draft document as it was read.
        package var document: String
        package var sha256: String
        /// The folder that relative locations in the document start from; empty for a farm's film, which has none of them.
        package var folder: String
        /// The values of merge fields.
        package var parameters: [String: String]
        package var settings: [String: String]
        /// The only clip that was taken; nil for all.
        package var clip: String?
        /// Whether the filters of clips and main track were left out.
        package var withoutFilters: Bool
        /// The name of the draft in the farm's library; nil for a draft that was submitted with its export, or removed.
        package var name: String?
        /// The revision of that draft, from 1.
        package var revision: Int?

        package init(
            document: String, sha256: String, folder: String, parameters: [String: String], settings: [String: String],
            clip: String?, withoutFilters: Bool, name: String? = nil, revision: Int? = nil
        ) {
            self.document = document
            self.sha256 = sha256
            self.folder = folder
            self.parameters = parameters
            self.settings = settings
            self.clip = clip
            self.withoutFilters = withoutFilters
            self.name = name
            self.revision = revision
        }
    }

    /// A file that the draft names: media, captions, lookup tables, its own fonts, plug-ins.
    package struct Source: Hashable, Sendable, Codable {
        /// Its location as the draft has it.
        package var location: String
        /// The sha256 that its content is known by.
        package var sha256: String
        package var byteCount: Int
        /// The name of the file that was uploaded to the farm, or fetched by it; nil where the location says it.
        package var name: String?

        package init(location: String, sha256: String, byteCount: Int, name: String? = nil) {
            self.location = location
            self.sha256 = sha256
            self.byteCount = byteCount
            self.name = name
        }
    }

    /// A font file, of the draft or of the machine.
    package struct Font: Hashable, Sendable, Codable {
        /// The PostScript name.
        package var name: String
        package var sha256: String

        package init(name: String, sha256: String) {
            self.name = name
            self.sha256 = sha256
        }
    }

    /// The program that made the film.
    package struct Software: Hashable, Sendable, Codable {
        package var version: String
        /// Empty where it is unknown.
        package var commit: String
        /// The version of the renderer. Another one may make other bytes.
        package var renderer: Int
        /// The versions of the media libraries, by name; empty for a farm's film, whose workers have them.
        package var libraries: [String: String]

        package init(version: String, commit: String, renderer: Int, libraries: [String: String]) {
            self.version = version
            self.commit = commit
            self.renderer = renderer
            self.libraries = libraries
        }
    }

    /// A job of the film's plan.
    package struct Job: Hashable, Sendable, Codable {
        /// The kind, such as `video`.
        package var kind: String
        /// The key of the artifact that it makes.
        package var key: String
        /// The seconds that it took; nil where its artifact was there already.
        package var seconds: Double?
        /// The worker of the farm that did it; nil where none had it.
        package var worker: String?
        /// The number of its last attempt on the farm, from 1; nil where there was none.
        package var attempt: Int?
        /// Whether its artifact, or what is made of it, was there already; nil for a film that `spool export` made.
        package var reused: Bool?

        package init(
            kind: String, key: String, seconds: Double?, worker: String? = nil, attempt: Int? = nil, reused: Bool? = nil
        ) {
            self.kind = kind
            self.key = key
            self.seconds = seconds
            self.worker = worker
            self.attempt = attempt
            self.reused = reused
        }
    }
}

// MARK: - Text

extension FilmProvenance {
    /// The provenance as a JSON document.
    package func text() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// The reason for which a document is no provenance that this version reads.
    package enum Fault: Error, Equatable {
        /// It is no JSON object with the members of a provenance. The text says what is wrong.
        case noProvenance(String)
        /// It has another version of the format.
        case otherVersion(Int)
    }

    /// Reads a document.
    package init(reading text: Data) throws(Fault) {
        struct Head: Decodable { var version: Int }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            let version = try decoder.decode(Head.self, from: text).version
            guard version == FilmProvenance.currentVersion else { throw Fault.otherVersion(version) }
            self = try decoder.decode(FilmProvenance.self, from: text)
            // Names are put behind the film's folder, and must not lead out of it.
            if let other = files.first(where: { $0.name.contains("/") }) {
                throw Fault.noProvenance("'\(other.name)' is not the name of a file beside the film")
            }
        } catch let fault as Fault {
            throw fault
        } catch DecodingError.keyNotFound(let key, _) {
            throw .noProvenance("it has no '\(key.stringValue)'")
        } catch DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty,
            DecodingError.valueNotFound(_, let context) where !context.codingPath.isEmpty
        {
            throw .noProvenance("'\(context.codingPath.map(\.stringValue).joined(separator: "."))' is of another type")
        } catch {
            throw .noProvenance("it is no JSON object")
        }
    }
}
