/// A track of a stream as one file: its header, an index of its segments, and fragments that were made of the artifacts of
/// a film. Players load its parts by ranges of bytes.
///
/// The caller gets each fragment as soon as it is made. The header and the index, which stand before all fragments, can only
/// be made when all of them are known.
package struct StreamFile: Sendable {
    /// Samples that can be decoded alone, in a box of their own.
    struct Fragment: Hashable, Sendable {
        var byteCount: Int
        /// In ticks of the track.
        var duration: Int
        /// The bytes from the beginning of the fragment up to the end of its first sample.
        var keyframeBytes: Int
    }

    /// A range of the file, and how long it plays.
    package struct Part: Hashable, Sendable {
        package var range: Range<Int>
        /// In seconds.
        package var duration: Double

        package init(range: Range<Int>, duration: Double) {
            self.range = range
            self.duration = duration
        }
    }

    /// The first of the tracks that the file is made of, which has the setup of the decoder.
    package let first: MovieTrack
    /// The codec as RFC 6381 writes it.
    package let codec: String
    private(set) var fragments: [Fragment] = []
    /// The numbers of the fragments with which segments begin.
    private var segmentStarts: [Int] = []

    /// - Throws: `StreamFault` for a codec that streams do not have.
    package init(of first: MovieTrack) throws(StreamFault) {
        guard let codec = CodecName.name(of: first) else { throw StreamFault("streams do not have its codec") }
        self.first = first
        self.codec = codec
    }

    /// The length of a segment in seconds, which it exceeds only where a single fragment does. Apple's "HLS Authoring
    /// Specification" (7.5) asks for six seconds.
    package static let segmentLength = 6.0

    // MARK: Fragments

    /// Adds the samples of a file behind those that are there.
    /// - Parameters:
    ///   - track: the index of the file, with the setup of the first one's decoder.
    ///   - spacing: the number of samples in a fragment; the last one may have fewer.
    ///   - write: gets the bytes of each fragment.
    /// - Throws: `StreamFault` where the file cannot be read, or where decoding cannot begin with a fragment; what `write`
    ///   throws.
    package mutating func add(_ track: MovieTrack, from file: String, spacing: Int, _ write: ([UInt8]) throws -> Void) throws {
        for start in stride(from: 0, to: track.samples.count, by: max(1, spacing)) {
            guard track.samples[start].isSync else { throw StreamFault("sample \(start) is no keyframe") }
            let samples = start..<min(start + max(1, spacing), track.samples.count)
            let fragment = MovieFragment(of: track, samples: samples, number: fragments.count, start: duration)
            let bytes = try fragment.bytes(from: file)
            guard bytes.count < MovieFragment.largest else { throw StreamFault("a fragment is too large for a stream") }
            add(
                Fragment(
                    byteCount: bytes.count, duration: fragment.duration,
                    keyframeBytes: bytes.count - fragment.sampleBytes + fragment.firstSampleBytes))
            try write(bytes)
        }
    }

    /// Adds a fragment to the last segment, or begins a new one where that would be too long.
    private mutating func add(_ fragment: Fragment) {
        let segment = fragments[(segmentStarts.last ?? 0)...].reduce(0) { $0 + $1.duration }
        let isTooLong = Double(segment + fragment.duration) > StreamFile.segmentLength * Double(first.timescale)
        if segmentStarts.isEmpty || (isTooLong && segment > 0) { segmentStarts.append(fragments.count) }
        duration += fragment.duration
        fragments.append(fragment)
    }

    /// The duration of all samples in ticks of the track.
    private(set) var duration = 0

    /// The number of samples of sound in a fragment, which is a segment by itself but for the short ones between the parts of
    /// a long sound.
    package static func soundSpacing(_ track: MovieTrack) -> Int {
        Int(segmentLength) * track.timescale / max(1, track.samples[0].duration)
    }

    // MARK: The file

    /// The header of the track.
    package var header: [UInt8] { MovieHeader(of: first).bytes }

    /// The beginning of the file, before the fragments: the header of the track and the index of its segments.
    package var head: [UInt8] { header + index }

    /// The range of the index.
    package var indexRange: Range<Int> {
        let start = header.count
        return start..<(start + index.count)
    }

    /// The segments.
    package var segments: [Part] {
        var place = head.count
        return segmentRanges.map { range in
            let bytes = fragments[range].reduce(0) { $0 + $1.byteCount }
            defer { place += bytes }
            return Part(range: place..<(place + bytes), duration: seconds(presented(range)))
        }
    }

    /// How long fragments are heard or seen, in ticks. What an encoder of sound puts in front is in the first one.
    private func presented(_ range: Range<Int>) -> Int {
        let ticks = fragments[range].reduce(0) { $0 + $1.duration }
        return range.lowerBound == 0 && first.kind == .audio ? max(0, ticks - first.commonStart) : ticks
    }

    /// The first picture of each fragment.
    package var keyframes: [Part] {
        var place = head.count
        return fragments.map { fragment in
            defer { place += fragment.byteCount }
            return Part(range: place..<(place + fragment.keyframeBytes), duration: seconds(fragment.duration))
        }
    }

    private var segmentRanges: [Range<Int>] { zip(segmentStarts, segmentStarts.dropFirst() + [fragments.count]).map { $0..<$1 } }

    /// ISO/IEC 14496-12, section 8.16.3: the size and duration of each segment, each of which begins with a keyframe.
    private var index: [UInt8] {
        var writer = BoxWriter()
        let ranges = segmentRanges
        writer.fullBox("sidx", version: 1) { box in
            box.write(MovieHeader.trackNumber, bytes: 4)
            box.write(first.timescale, bytes: 4)
            box.write(0, bytes: 8)  // the time of the first segment, after the edit list
            box.write(0, bytes: 8)  // the distance from the index to the first segment
            box.write(0, bytes: 2)
            box.write(ranges.count, bytes: 2)
            for range in ranges {
                box.write(fragments[range].reduce(0) { $0 + $1.byteCount }, bytes: 4)
                box.write(presented(range), bytes: 4)
                box.write(0x9000_0000, bytes: 4)  // begins with an access point of type 1
            }
        }
        return writer.bytes
    }

    private func seconds(_ ticks: Int) -> Double { Double(ticks) / Double(first.timescale) }
}

extension [StreamFile.Part] {
    /// The duration of all parts in seconds.
    package var duration: Double { reduce(0) { $0 + $1.duration } }

    /// The average in bits a second.
    package var averageBandwidth: Int {
        let seconds = duration
        return seconds > 0 ? Int((Double(reduce(0) { $0 + $1.range.count } * 8) / seconds).rounded(.up)) : 0
    }

    /// The most bits a second of any parts in turn that together last 0.5 to 1.5 times the target duration of a playlist,
    /// which is that of the longest part in whole seconds (RFC 8216, section 4.1, "peak segment bit rate").
    package var peakBandwidth: Int {
        let target = Swift.max(1, (map(\.duration).max() ?? 0).rounded(.up))
        var peak = averageBandwidth
        for start in indices {
            var (bytes, seconds) = (0, 0.0)
            for part in self[start...] {
                bytes += part.range.count
                seconds += part.duration
                if seconds > target * 1.5 { break }
                if seconds >= target * 0.5 { peak = Swift.max(peak, Int((Double(bytes * 8) / seconds).rounded(.up))) }
            }
        }
        return peak
    }
}
