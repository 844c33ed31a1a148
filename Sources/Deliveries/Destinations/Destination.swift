package import Coordinator
import ExportPlan
package import S3Store

/// A place outside the farm that films are sent to, as the operator's file describes it.
package struct Destination: Sendable {
    package enum Place: Sendable {
        case bucket(S3Blobs)
        /// An existing directory of the coordinators' machines.
        case directory(String)
        /// An address that a file's name is appended to, with headers that may be secret.
        case address(String, headers: [String: String])
    }

    package var name: String
    /// The names of the tenants that may use it; nil for all.
    package var tenants: Set<String>?
    package var place: Place
    /// How files are named.
    package var key: KeyTemplate
    /// The films' media type; nil for that of their containers.
    package var contentType: String?
    /// The value of `Cache-Control`.
    package var cacheControl: String?
    /// Metadata of the objects of a bucket: small letters, and templates of the values.
    package var metadata: [String: KeyTemplate]
    /// Whether a manifest is put beside the film.
    package var hasManifest: Bool
}
