import CommandLineInterface
import ExportPlan
import FarmClient
import Provenance
import Vocabulary

/// Finds the files that a farm's film was made of, by their content: in a folder of this machine, or else on a farm.
///
/// Only uploaded assets have to be found here. A file that the farm has fetched from an address may also come from there,
/// and a file that is named by its path lies there.
struct RecordedSources {
    private let record: FilmProvenance
    private let folder: String?
    /// The farm; nil where none is named.
    private let client: FarmClient?

    /// - Parameters:
    ///   - record: the provenance of a farm's film.
    ///   - folder: the folder with the files; nil where none is named.
    init(of record: FilmProvenance, folder: String?, _ server: ServerOptions) throws {
        self.record = record
        self.folder = folder
        client = try server.clientOfNamedFarm()
    }

    /// - Parameter directory: where files of the farm are put; it is made.
    /// - Returns: the paths of the files that were found, by their locations in the draft.
    /// - Throws: `CommandFailure`, exit code 65, that names each asset that is missing and what helps; `ClientFailure`.
    func find(fetchingTo directory: String) async throws -> [String: String] {
        try OutputOptions.makeDirectory(directory)
        var own = folder.map { FilesByContent(in: $0) }
        var paths: [String: String] = [:]
        var missing: [FilmProvenance.Source] = []
        // One file may have several locations: that of an asset, and an address.
        var fetched: [String: String] = [:]
        for source in record.sources where PluginLocation.name(of: source.location) == nil {
            if let path = own?.path(sha256: source.sha256, byteCount: source.byteCount, name: source.name) {
                paths[source.location] = path
                continue
            }
            let isAsset = AssetLocation.matches(source.location)
            guard isAsset || RemoteLocation.matches(source.location) else { continue }
            if fetched[source.sha256] == nil {
                fetched[source.sha256] = try await fetch(source, to: "\(directory)/\(source.sha256)")
            }
            if let path = fetched[source.sha256] {
                paths[source.location] = path
            } else if isAsset {
                missing.append(source)
            }
        }
        guard missing.isEmpty else { throw failure(missing) }
        return paths
    }

    /// - Returns: the path of the file; nil where no farm is named, or the farm does not have it.
    private func fetch(_ source: FilmProvenance.Source, to path: String) async throws -> String? {
        // The hash becomes a part of paths, and a file from elsewhere may say anything there.
        let isHash = source.sha256.utf8.count == 64 && source.sha256.allSatisfy(\.isHexDigit)
        guard isHash, let client, try await client.hasAsset(source.sha256) else { return nil }
        let byteCount = try await client.downloadAsset(source.sha256, to: path)
        Terminal.error("fetched \(source.name ?? RemoteLocation.name(of: source.location)), \(Phrase.bytes(Int64(byteCount)))")
        return path
    }

    private func failure(_ missing: [FilmProvenance.Source]) -> CommandFailure {
        let names = missing.map { source in
            "'\(source.location)' (\(source.name ?? "a file without a name"), \(Phrase.bytes(Int64(source.byteCount))))"
        }
        let place = folder.map { "in '\($0)'" } ?? "on this machine"
        let remedy: String
        if let client {
            remedy = "nor on the farm at \(client.server); name the folder that has the files with --folder"
        } else {
            remedy =
                "and no farm is named; name the one that has them with SPOOL_SERVER and SPOOL_TOKEN, or their folder "
                + "with --folder"
        }
        return CommandFailure(
            names.joined(separator: ", ") + (missing.count == 1 ? " is " : " are ")
                + (client == nil ? "not \(place), " : "neither \(place) ") + remedy, status: ExitStatus.badInput)
    }
}
