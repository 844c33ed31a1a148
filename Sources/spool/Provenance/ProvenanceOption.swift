import ArgumentParser
import ArtifactStore
import FarmAPI
import FarmClient
import Provenance
import FoundationEssentials

/// The option of commands that download films, for the file beside a film that says how it was made.
struct ProvenanceOption: ParsableArguments {
    @Flag(
        name: .customLong("provenance"),
        help: "Write how the film was made into a file beside it, for 'spool verify' and 'spool reproduce'.")
    var isWanted = false

    /// Asks a farm how a film was made, where that is wanted.
    /// - Parameters:
    ///   - film: the path that the film is downloaded to.
    ///   - replacing: whether a file that exists beside it is replaced.
    /// - Returns: the file's content; nil where it is not wanted.
    /// - Throws: `ClientFailure`; `CommandFailure`, exit code 73, where the file cannot be written.
    func text(of export: ExportID, film: String, replacing: Bool, _ client: FarmClient) async throws -> Data? {
        guard isWanted else { return nil }
        try OutputOptions.refusing { () throws(OutputCheck.Fault) in
            try OutputCheck(film + FilmProvenance.suffix, keepsExisting: !replacing).checkPlace()
        }
        return try await client.provenance(of: export, named: film.split(separator: "/").last.map(String.init) ?? film)
    }

    /// Writes the file beside the film.
    /// - Returns: its path.
    /// - Throws: `CommandFailure`.
    @discardableResult
    func write(_ text: Data, beside film: String, replacing: Bool) throws -> String {
        let path = film + FilmProvenance.suffix
        try OutputOptions.write(text, to: path, replacing: replacing)
        return path
    }
}
