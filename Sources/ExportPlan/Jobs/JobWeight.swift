/// The predicted cost of a job, in seconds of one slot of an ordinary machine. The proportions matter more than the
/// seconds, because they decide how the farm is shared.
package enum JobWeight {
    /// Predicted seconds above which a job over the whole film is long: about the time that a video segment takes.
    package static let long = 5.0

    /// The kinds that process the whole film in one job. Video and audio are cut into segments.
    package static let wholeFilmKinds: Set<JobKind> = [.soundtrack, .stitch]

    /// Whether a job can hold a slot for much longer than a segment does.
    package static func isLong(_ kind: JobKind, _ weight: Double) -> Bool { wholeFilmKinds.contains(kind) && weight > long }

    static func video(_ slice: VideoSlice) -> Double {
        let megapixels = Double(slice.canvas.width * slice.canvas.height) / 1e6
        return 0.3 + Double(slice.frameCount) * megapixels * 0.02
    }

    static func audio(_ slice: AudioSlice) -> Double {
        let seconds = Double(slice.sampleCount) / Double(max(1, slice.sampleRate))
        return 0.2 + seconds * 0.01 * Double(max(1, slice.inputs.count))
    }

    static func soundtrack(_ plan: SoundtrackPlan) -> Double {
        // Mastering to a loudness takes several measurements, and a true peak is measured by decoding what was encoded.
        let passes = plan.mastering.map { $0.loudness == nil ? 2.0 : 5.0 } ?? 1
        return 0.2 + Double(plan.sampleCount) / Double(max(1, plan.encode.sampleRate)) * 0.01 * passes
    }

    static func allocation(_ plan: AllocationPlan) -> Double { 0.2 + Double(plan.measures.count) * 0.01 }

    static func stitch(_ plan: StitchPlan) -> Double { 0.2 + Double(plan.frameCount) * 0.0001 }
}
