/// The kinds of job that a film is made of.
public enum JobKind: String, CaseIterable, Hashable, Sendable, Codable {
    case probe, measure, allocation, video, audio, soundtrack, stitch

    /// Which workers do it.
    public var role: WorkerRole {
        switch self {
        case .probe, .measure, .video: .video
        case .audio, .soundtrack: .audio
        case .allocation, .stitch: .stitch
        }
    }

    /// The kinds of which all jobs of its export have to be done before.
    public var needs: [JobKind] {
        switch self {
        case .probe, .measure, .audio: []
        case .allocation: [.measure]
        case .video: [.measure, .allocation]
        case .soundtrack: [.audio]
        case .stitch: [.video, .audio, .soundtrack]
        }
    }
}

/// What a worker is there for. Each role has queues of its own.
public enum WorkerRole: String, CaseIterable, Hashable, Sendable, Codable {
    /// Looks at sources, measures and renders picture segments.
    case video
    /// Mixes sound segments and encodes the sound.
    case audio
    /// Hands segments their bits and joins them into films.
    case stitch
}
