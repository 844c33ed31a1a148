/// The amounts of work in a job, found from the planned job alone, without its sources' bytes. The time of the job is
/// predicted from them (`CostTable`), and models are fitted to them (`CostModel`).
///
/// They say nothing about what the job makes, and no key depends on them. Where a film is cut depends on the built-in
/// costs alone (`PictureCosts`), never on what was measured.
package struct JobFeatures: Hashable, Sendable {
    /// The version of the amounts' meanings, raised whenever a feature or a built-in coefficient changes. Measurements
    /// and fits of another version are not used.
    package static let version = 1
    /// No amount is above this, whatever a draft or a source claims.
    static let limit = 1e9

    package let costClass: CostClass
    /// The amounts in the order of `JobKind.features`: finite, 0...1e9, in thousandths.
    package let amounts: [Double]

    /// - Parameter amounts: amounts by feature; missing ones are 0, and `start` is 1.
    init(_ costClass: CostClass, _ amounts: [JobFeature: Double]) {
        self.costClass = costClass
        self.amounts = costClass.kind.features.map { feature in
            guard feature != .start else { return 1 }
            let amount = amounts[feature] ?? 0
            guard amount > 0 else { return 0 }
            // In thousandths, so that a measurement and a prediction of the same job agree to the last bit.
            return (min(amount, JobFeatures.limit) * 1000).rounded() / 1000
        }
    }

    /// The features of a job.
    /// - Parameter facts: the facts of its sources by content hash. Without them its own source references count;
    ///   sources of which neither knows anything are taken to be of the film's size and rate.
    /// - Returns: nil for jobs that no plan has, such as no-op jobs.
    package init?(_ job: RenderJob, facts: [String: SourceFacts] = [:]) {
        switch job {
        case .probe: self.init(kind: .probe, [:])
        case .measure(let segment, _), .video(let segment, _):
            var known = facts
            for reference in job.references where known[reference.facts.name] == nil {
                known[reference.facts.name] = reference.facts
            }
            let isMeasure = if case .measure = job { true } else { false }
            guard let costClass = CostClass(isMeasure ? .measure : .video, codec: segment.slice.encode.codec) else { return nil }
            let slice = segment.slice
            self.init(
                costClass,
                PictureWork(slice, known).amounts(frames: slice.frameCount, encode: slice.encode, isMeasure: isMeasure))
        case .picture(let plan, _):
            var work = PictureWork(facts)
            for frame in plan.sheet.frames { work.add(frame) }
            self.init(kind: .picture, work.amounts)
        case .allocation(let plan): self.init(kind: .allocation, [.parts: Double(plan.measures.count)])
        case .audio(let segment, _): self.init(kind: .audio, JobFeatures.amounts(of: segment.slice))
        case .soundtrack(let plan, _, _): self.init(kind: .soundtrack, JobFeatures.amounts(of: plan))
        case .stitch(let plan, let segments, _, _, _):
            let parts = segments.count + (plan.copied?.ranges.count ?? 0)
            let tracks = plan.stream?.renditions.count ?? 1
            self.init(kind: .stitch, [.frames: Double(plan.frameCount * tracks), .parts: Double(parts * tracks)])
        case .explainVideo, .explainAudio, .waveform, .noOp: return nil
        }
    }

    /// - Parameter kind: a kind that encodes no pictures.
    private init?(kind: JobKind, _ amounts: [JobFeature: Double]) {
        guard let costClass = CostClass(kind) else { return nil }
        self.init(costClass, amounts)
    }

    private static func amounts(of slice: AudioSlice) -> [JobFeature: Double] {
        let rate = Double(max(1, slice.sampleRate))
        let inputs = slice.allInputs
        let mixed =
            Double(slice.sampleCount)
            + inputs.reduce(0) { sum, input in
                // An input that is read from its start is read up to the end of the segment.
                let heard =
                    input.fromStart == true ? min(input.sampleCount, slice.sampleCount - input.firstSample) : input.sampleCount
                return sum + Double(heard)
            }
            + slice.allGroups.reduce(0) { $0 + Double($1.sampleCount) }
        let stretched = inputs.reduce(0.0) { sum, input in
            guard let settings = input.timeStretch else { return sum }
            // A window is cut out of a sound that is time-stretched as a whole.
            return sum + Double(settings.window?.stretchedSampleCount ?? input.sampleCount)
        }
        return [.mixedSound: mixed / rate, .stretchedSound: stretched / rate]
    }

    private static func amounts(of plan: SoundtrackPlan) -> [JobFeature: Double] {
        let seconds = Double(plan.sampleCount) / Double(max(1, plan.encode.sampleRate))
        // Mastering to a loudness takes several measurements, and a true peak is measured by decoding what was encoded.
        let passes = plan.mastering.map { $0.loudness == nil ? 1.0 : 4.0 } ?? 0
        return [.encodedSound: seconds, .masteredSound: seconds * passes]
    }
}

extension JobFeatures: Codable {
    private enum CodingKeys: String, CodingKey { case version, costClass = "class", amounts }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(JobFeatures.version, forKey: .version)
        try container.encode(costClass, forKey: .costClass)
        try container.encode(amounts, forKey: .amounts)
    }

    /// - Throws: `DecodingError` also for features of another version, and for amounts that no job has.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(Int.self, forKey: .version)
        costClass = try container.decode(CostClass.self, forKey: .costClass)
        amounts = try container.decode([Double].self, forKey: .amounts)
        let isValid = amounts.allSatisfy { (0...JobFeatures.limit).contains($0) } && amounts.first == 1
        guard version == JobFeatures.version, amounts.count == costClass.kind.features.count, isValid else {
            throw DecodingError.dataCorruptedError(
                forKey: .amounts, in: container, debugDescription: "these are no features of version \(JobFeatures.version)")
        }
    }
}
