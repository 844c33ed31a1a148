import ExportPlan
import Media

/// One input or group of a segment: its samples in order, with its pan and its gains.
final class Track {
    private let samplesHeard: Range<Int>
    private let channels: Int
    private let voice: any Voice
    private let gain: GainEvaluator
    private let pan: StereoPan?
    private let duck: SideChainGain?
    private let chain: SideChainDucker?
    private var samples: [Float] = []
    private var gains: [Float] = []

    let explanation: Explanation

    /// - Parameter chain: the side chain that ducks inputs that have a `duck`.
    init(_ input: AudioSliceInput, _ voice: any Voice, slice: AudioSlice, _ chain: SideChainDucker?) {
        samplesHeard = input.firstSample..<(input.firstSample + input.sampleCount)
        self.voice = voice
        self.chain = chain
        duck = input.duck
        channels = slice.channels
        pan = input.pan.map { StereoPan($0, sampleRate: slice.sampleRate, channels: slice.channels) }
        gain = GainEvaluator(input.gains, sampleRate: slice.sampleRate)
        explanation = Explanation(
            .sound(source: input.source, firstSample: input.firstSample, sampleCount: input.sampleCount),
            decisions: voice.decisions + Track.decisions(input.pan, input.gains) + (input.duck.map { [.duck($0)] } ?? []))
    }

    /// - Parameters:
    ///   - voice: the sum of the parts, through the group's filters.
    ///   - parts: the tracks in the group, for its explanation.
    init(_ group: AudioSliceGroup, _ voice: any Voice, _ parts: [Track], slice: AudioSlice) {
        samplesHeard = group.firstSample..<(group.firstSample + group.sampleCount)
        self.voice = voice
        (duck, chain) = (nil, nil)
        channels = slice.channels
        pan = group.pan.map { StereoPan($0, sampleRate: slice.sampleRate, channels: slice.channels) }
        gain = GainEvaluator(group.gains, sampleRate: slice.sampleRate)
        explanation = Explanation(
            .soundGroup(firstSample: group.firstSample, sampleCount: group.sampleCount),
            decisions: voice.decisions + Track.decisions(group.pan, group.gains), parts: parts.map(\.explanation))
    }

    private static func decisions(_ pan: GainCurve?, _ gains: [GainCurve]) -> [Explanation.Decision] {
        (pan.map { [.pan($0)] } ?? []) + gains.map { .gain($0) }
    }

    /// Adds the sound during segment samples `start ..< start + count`.
    func add(to mixed: inout [Float], from start: Int, count: Int) throws(MediaError) {
        let heard = samplesHeard.clamped(to: start..<(start + count))
        guard !heard.isEmpty else { return }
        if samples.count < heard.count * channels { samples = [Float](repeating: 0, count: heard.count * channels) }
        try samples.withUnsafeMutableBufferPointer { buffer throws(MediaError) in
            guard let base = buffer.baseAddress else { return }
            try voice.read(from: heard.lowerBound - samplesHeard.lowerBound, count: heard.count, into: base)
            pan?.apply(to: buffer, from: heard.lowerBound, count: heard.count, channels: channels)
        }
        gain.evaluate(from: heard.lowerBound, count: heard.count, into: &gains)
        if let duck, let chain { try chain.multiply(&gains, from: heard.lowerBound, by: duck) }
        let offset = (heard.lowerBound - start) * channels
        for index in 0..<heard.count {
            for channel in 0..<channels {
                mixed[offset + index * channels + channel] += samples[index * channels + channel] * gains[index]
            }
        }
    }
}

/// Plays the sum of the tracks in a group.
final class GroupVoice: Voice {
    private let tracks: [Track]
    private let firstSample: Int
    private let channels: Int
    private var mixed: [Float] = []

    /// - Parameter firstSample: the segment sample at which the group starts.
    init(_ tracks: [Track], firstSample: Int, channels: Int) {
        self.tracks = tracks
        self.firstSample = firstSample
        self.channels = channels
    }

    var decisions: [Explanation.Decision] { [] }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        mixed.removeAll(keepingCapacity: true)
        mixed.append(contentsOf: repeatElement(0, count: count * channels))
        for track in tracks { try track.add(to: &mixed, from: firstSample + from, count: count) }
        for index in mixed.indices { output[index] = mixed[index] }
    }
}
