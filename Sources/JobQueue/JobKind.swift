/// The kinds of job that a film is made of.
public enum JobKind: String, CaseIterable, Hashable, Sendable, Codable {
    case probe, video, audio, soundtrack, stitch

    /// Which workers do it.
    public var role: WorkerRole {
        switch self {
        case .probe, .video: .video
        case .audio, .soundtrack: .audio
        case .stitch: .stitch
        }
    }
}

/// What a worker is there for. Each role has queues of its own.
public enum WorkerRole: String, CaseIterable, Hashable, Sendable, Codable {
    /// Looks at sources and renders picture segments.
    case video
    /// Mixes sound segments and encodes the sound.
    case audio
    /// Joins segments into films.
    case stitch
}
