package import ExportPlan

/// What a worker is for. Each role has its own queues.
package enum WorkerRole: String, CaseIterable, Hashable, Sendable, Codable {
    /// Probes sources, measures and renders video segments, and renders single pictures.
    case video
    /// Mixes audio segments and encodes the soundtrack.
    case audio
    /// Allocates bits to segments, and joins segments into films.
    case stitch
}

extension JobKind {
    /// The role of the workers that do it.
    package var role: WorkerRole {
        switch self {
        case .probe, .measure, .video, .picture: .video
        case .audio, .soundtrack: .audio
        case .allocation, .stitch: .stitch
        }
    }
}
