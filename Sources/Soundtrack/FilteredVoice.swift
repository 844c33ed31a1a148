import ExactTime
import ExportPlan
import Media

/// Plays another voice through filters. They begin with the voice's first sample, whichever sample is asked for first,
/// because they remember what they have heard.
final class FilteredVoice: Voice {
    private static let block = 4096

    private let voice: any Voice
    private let filters: [SoundFilter]
    private let chain: SoundFilterChain
    private let sampleCount: Int
    private let channels: Int
    /// How many of the voice's samples have been filtered.
    private var fed = 0
    /// Filtered samples, the first of which has the number `first`.
    private var filtered: [Float] = []
    private var first = 0
    private var block: [Float]

    /// - Parameters:
    ///   - sampleCount: the voice's samples. Silence follows them, while filters that delay the sound give their last ones.
    ///   - impulses: the impulse responses that the filters read, in their order.
    ///   - libraries: the paths of the libraries of LADSPA plug-ins, by content hash.
    init(
        _ voice: any Voice, _ filters: [SoundFilter], sampleCount: Int, sampleRate: Int, channels: Int, impulses: [[Float]],
        libraries: [String: String]
    ) throws(MediaError) {
        self.voice = voice
        self.filters = filters
        self.sampleCount = sampleCount
        self.channels = channels
        chain = try SoundFilterChain(
            filters, sampleRate: sampleRate, channels: channels, impulses: impulses, libraries: libraries)
        block = [Float](repeating: 0, count: FilteredVoice.block * channels)
    }

    var decisions: [Explanation.Decision] {
        voice.decisions + filters.map { filter in filter.plugin.map { .soundPlugin(name: $0.name) } ?? .filter(filter.kind) }
    }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        while first + filtered.count / channels < from + count {
            try filterMore()
            let passed = min(max(0, from - first), filtered.count / channels)
            filtered.removeFirst(passed * channels)
            first += passed
        }
        for index in 0..<(count * channels) { output[index] = filtered[(from - first) * channels + index] }
    }

    private func filterMore() throws(MediaError) {
        let count = min(FilteredVoice.block, max(0, sampleCount - fed))
        let start = fed
        fed += FilteredVoice.block
        try block.withUnsafeMutableBufferPointer { buffer throws(MediaError) in
            guard let base = buffer.baseAddress else { return }
            buffer.update(repeating: 0)
            if count > 0 { try voice.read(from: start, count: count, into: base) }
            try chain.process(UnsafeBufferPointer(buffer), into: &filtered)
        }
    }
}

/// The longest impulse response that a filter reads, in seconds; what follows is left out.
private let longestImpulse = 30

/// Reads an impulse response whole.
func readImpulse(_ source: SourceReference, sampleRate: Int, channels: Int) throws(MediaError) -> [Float] {
    let reader = try SoundReader(source, sampleRate: sampleRate, channels: channels)
    let length = (source.facts.audio?.duration ?? .zero).rounded(toRate: sampleRate)
    let count = max(1, min(length, longestImpulse * sampleRate))
    var samples = [Float](repeating: 0, count: count * channels)
    try samples.withUnsafeMutableBufferPointer { buffer throws(MediaError) in
        if let base = buffer.baseAddress { try reader.read(from: 0, count: count, into: base) }
    }
    return samples
}
