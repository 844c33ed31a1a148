import Coordinator
import FarmAPI
import FoundationEssentials

/// The file beside a film at its destination that says which film it is: `NAME.json` for `NAME`. It is written last, so
/// that the film is complete where it is there.
struct FilmManifest: Codable {
    /// The version of the format.
    var version = 1
    var export: ExportID
    var number: Int64
    var label: String
    var tenant: String
    var finishedAt: Date
    var frameCount: Int?
    var mediaType: String
    var film: Publication.File
    /// The poster, the sheets of sprites and their index; nil where the film has none of them.
    var pictures: [Publication.File]?

    init(_ outgoing: OutgoingFilm, _ film: Publication.File, mediaType: String, pictures: [Publication.File]) {
        self.pictures = pictures.isEmpty ? nil : pictures
        export = outgoing.export
        number = outgoing.number
        label = outgoing.label
        tenant = outgoing.tenantName
        finishedAt = outgoing.finishedAt
        frameCount = outgoing.frameCount
        self.mediaType = mediaType
        self.film = film
    }
}
