/// The kinds of job that a film is made of.
package enum JobKind: String, CaseIterable, Hashable, Sendable, Codable {
    case probe, measure, allocation, video, audio, soundtrack, stitch

    /// The kinds whose jobs in the same export all have to be done first.
    package var needs: [JobKind] {
        switch self {
        case .probe, .measure, .audio: []
        case .allocation: [.measure]
        case .video: [.measure, .allocation]
        case .soundtrack: [.audio]
        case .stitch: [.video, .audio, .soundtrack]
        }
    }
}
