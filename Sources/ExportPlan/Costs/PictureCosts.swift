import ExactTime

/// Predictions of how long a composition's pictures take, by which it is cut into segments. They are made with the
/// built-in costs and not with those that a machine has measured, so that a draft is cut in the same way everywhere.
package struct PictureCosts: Sendable {
    private let canvas: FrameSize
    private let frameRate: FrameRate
    private let encode: VideoEncodeSettings
    private let facts: [String: SourceFacts]
    private let coefficients: [JobFeature: Double]

    /// - Parameter facts: the facts of the sources by content hash.
    package init(_ composition: Composition, _ encode: VideoEncodeSettings, facts: [String: SourceFacts]) {
        self.encode = encode
        self.facts = facts
        canvas = composition.canvas
        frameRate = composition.frameRate
        let costs = CostClass(.video, codec: encode.codec).map(BuiltInCosts.coefficients) ?? []
        coefficients = Dictionary(uniqueKeysWithValues: zip(JobKind.video.features, costs))
    }

    /// Seconds of one slot to make all pictures of an instruction, without what each job takes to begin.
    package func seconds(of instruction: Instruction) -> Double {
        let work = PictureWork(instruction, at: frameRate, on: canvas, facts)
        return seconds(work.amounts(frames: frameRate.frames(in: instruction.timeRange).count, encode: encode, isMeasure: false))
    }

    /// Seconds of one slot to decode one second of a source.
    package func decoding(_ video: VideoFacts) -> Double {
        seconds([.decodedPixels: PictureWork.decodedFrame(of: video) * video.frameRate.framesPerSecond.doubleValue])
    }

    /// Seconds of one slot to encode one second of film.
    package var encoding: Double {
        let frames = Instruction(timeRange: TimeRange(start: .zero, duration: MediaTime(seconds: 1)), layers: [])
        return seconds(of: frames)
    }

    // The order of the features is fixed, because sums in another order differ in their last bits.
    private func seconds(_ amounts: [JobFeature: Double]) -> Double {
        JobKind.video.features.reduce(0) { $0 + (amounts[$1] ?? 0) * (coefficients[$1] ?? 0) }
    }
}
