import Glibc

/// Samples of a track as a fragment of a fragmented MP4 file, which a player can decode after the track's header
/// (ISO/IEC 14496-12, section 8.8; ISO/IEC 23000-19, "CMAF").
package struct MovieFragment {
    private let track: MovieTrack
    private let samples: Range<Int>
    private let number: Int
    private let start: Int

    /// - Parameters:
    ///   - samples: the indexes of the samples, which follow each other in the file.
    ///   - number: the number of the fragment in its stream, from 0.
    ///   - start: the time at which the first sample is decoded, in ticks of the track: that of the same samples in a film
    ///     whose first sample is decoded at 0.
    package init(of track: MovieTrack, samples: Range<Int>, number: Int, start: Int) {
        self.track = track
        self.samples = samples.clamped(to: track.samples.indices)
        self.number = number
        self.start = start
    }

    /// The samples of a fragment have fewer bytes, because an index has 31 bits for the size of a segment.
    static let largest = 1 << 31

    /// The size of the fragment's samples in bytes.
    package var sampleBytes: Int { samples.reduce(0) { $0 + track.samples[$1].place.count } }

    /// The size of the first sample in bytes.
    var firstSampleBytes: Int { samples.first.map { track.samples[$0].place.count } ?? 0 }

    /// The duration of the samples in ticks of the track.
    var duration: Int { samples.reduce(0) { $0 + track.samples[$1].duration } }

    /// The bytes of the fragment.
    /// - Parameter file: the file whose index is the track.
    /// - Throws: `StreamFault` where the samples cannot be read.
    package func bytes(from file: String) throws(StreamFault) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StreamFault("the file cannot be opened") }
        defer { close(descriptor) }
        let size = sampleBytes
        guard size < MovieFragment.largest else { throw StreamFault("the segment is too large for a stream") }
        var writer = BoxWriter()
        writer.box("styp") { box in
            box.write("msdh")
            box.write(0, bytes: 4)
            box.write("msdhmsix")
        }
        var dataOffset = 0
        let start = writer.box("moof") { box in
            box.fullBox("mfhd") { $0.write(number + 1, bytes: 4) }
            box.box("traf") { box in
                let isDefaultBaseMoof = 0x02_0000
                box.fullBox("tfhd", flags: isDefaultBaseMoof) { $0.write(MovieHeader.trackNumber, bytes: 4) }
                box.fullBox("tfdt", version: 1) { $0.write(self.start, bytes: 8) }
                dataOffset = writeRun(to: &box)
            }
        }
        writer.replace(at: dataOffset, with: writer.bytes.count - start + 8)
        writer.write(size + 8, bytes: 4)
        writer.write("mdat")
        for range in ranges { writer.write(try MovieTrack.read(descriptor, range)) }
        return writer.bytes
    }

    /// Writes the table of the samples.
    /// - Returns: where the distance from the fragment's start to the samples has to be written.
    private func writeRun(to writer: inout BoxWriter) -> Int {
        let (hasOffset, hasDurations, hasSizes, hasFlags, hasPresentationOffsets) = (0x001, 0x100, 0x200, 0x400, 0x800)
        // Version 1 has offsets with a sign.
        let flags = hasOffset | hasDurations | hasSizes | hasFlags | hasPresentationOffsets
        let shift = track.commonStart - track.start
        let run = writer.fullBox("trun", version: 1, flags: flags) { box in
            box.write(samples.count, bytes: 4)
            box.write(0, bytes: 4)
            for sample in track.samples[samples] {
                box.write(sample.duration, bytes: 4)
                box.write(sample.place.count, bytes: 4)
                // It depends on no other sample; or it depends on others, and decoding cannot begin with it.
                box.write(sample.isSync ? 0x0200_0000 : 0x0101_0000, bytes: 4)
                box.write(sample.presentationOffset + shift, bytes: 4)
            }
        }
        return run + 16
    }

    /// The places of the samples in the file, those that follow each other as one.
    private var ranges: [Range<Int>] {
        var ranges: [Range<Int>] = []
        for sample in track.samples[samples] {
            if let last = ranges.last, last.upperBound == sample.place.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<sample.place.upperBound
            } else {
                ranges.append(sample.place)
            }
        }
        return ranges
    }
}
