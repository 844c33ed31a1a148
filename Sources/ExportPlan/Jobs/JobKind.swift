/// The kinds of job that a film is made of.
package enum JobKind: String, CaseIterable, Hashable, Sendable, Codable {
    case probe, measure, allocation, video, audio, soundtrack, stitch, picture

    /// The kinds whose jobs in the same export all have to be done first.
    package var needs: [JobKind] {
        switch self {
        case .probe, .measure, .audio, .picture: []
        // A film of a given size has for its pictures what its sound leaves.
        case .allocation: [.measure, .soundtrack]
        case .video: [.measure, .allocation]
        case .soundtrack: [.audio]
        case .stitch: [.video, .audio, .soundtrack]
        }
    }

    /// The kinds whose jobs make what the export is complete with: the film and the pictures beside it.
    package static let results: [JobKind] = [.stitch, .picture]

    package var isResult: Bool { JobKind.results.contains(self) }
}
