package import FarmAPI

/// What a coordinator tells the leader through the database when it has changed something that jobs depend on.
package enum WorkNotice: Hashable, Sendable {
    /// An export was accepted, cancelled, or goes on after an operator's retry.
    case export(ExportID)
    /// The tenants or the paused roles changed.
    case settings

    /// The notice as the payload of a notification.
    package var payload: String {
        switch self {
        case .export(let id): id.text
        case .settings: "settings"
        }
    }

    /// - Returns: nil for a payload of another version.
    package init?(payload: String) {
        if payload == "settings" {
            self = .settings
        } else if let id = ExportID(payload) {
            self = .export(id)
        } else {
            return nil
        }
    }
}
