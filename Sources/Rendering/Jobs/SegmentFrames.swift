import Compositor
import ExactTime
import ExportPlan
import Media

/// Composes all frames of a picture segment in order beside encoding them, and measures how long decoding, composing and
/// encoding take.
struct SegmentFrames {
    let slice: VideoSlice
    let sources: JobSources
    private let temporaryFile: String
    private(set) var cost = JobCost()

    /// - Parameter temporaryFile: a path where no file is, for decoded frames of sources that play backwards.
    init(_ slice: VideoSlice, _ sources: JobSources, temporaryFile: String) {
        self.slice = slice
        self.sources = sources
        self.temporaryFile = temporaryFile
    }

    /// - Parameters:
    ///   - progress: called with the number of finished frames.
    ///   - encode: called with each frame and its number in the segment.
    ///   - finish: called after the last frame.
    mutating func forEach<Outcome>(
        _ progress: (Int) -> Void, _ encode: (VideoFrame, Int) throws -> Void, finish: () throws -> Outcome
    ) throws -> Outcome {
        let slice = slice
        let (sources, temporaryFile) = (sources, temporaryFile)
        let pictures = try ComposedPictures(count: slice.frameCount) { () throws(MediaError) in
            try Compositor(
                slice.instruction, canvas: slice.canvas, frameRate: slice.frameRate, sources: sources.byHash,
                passThroughFormat: slice.encode.passThroughFormat, transparentFormat: slice.encode.transparentFormat,
                primaries: slice.encode.composedColor?.primaries ?? .bt709, backwardFile: temporaryFile,
                decoderThreads: sources.decoderThreads, damage: sources.damage)
        }
        defer { pictures.end() }
        var encoding = Duration.zero
        for index in 0..<slice.frameCount {
            let picture = try pictures.next()
            let composed = ContinuousClock.now
            try encode(picture, index)
            encoding += composed.duration(to: .now)
            progress(index + 1)
        }
        let flushing = ContinuousClock.now
        let outcome = try finish()
        encoding += flushing.duration(to: .now)
        pictures.end()
        cost.decode += pictures.times.decoding.inSeconds
        cost.compose += pictures.times.composing.inSeconds
        cost.encode += encoding.inSeconds
        return outcome
    }
}

extension Duration {
    /// The duration in seconds, for printing and summing.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
