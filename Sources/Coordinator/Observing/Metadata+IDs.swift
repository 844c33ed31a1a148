package import FarmAPI
package import Logging

extension Logger.Metadata {
    /// The ids with which every line about an export, a job or an attempt is found.
    package static func ids(export: ExportID? = nil, job: Int64? = nil, attempt: Int? = nil) -> Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        if let export { metadata["export"] = "\(export)" }
        if let job { metadata["job"] = "\(job)" }
        if let attempt { metadata["attempt"] = "\(attempt)" }
        return metadata
    }
}
