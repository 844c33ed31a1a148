import ArtifactStore
import ExactTime
import ExportPlan
import Media
import Soundtrack
import Vocabulary

/// Joins the sound segments, masters them and encodes them, so that a film has one encoder delay at its start and no
/// seams.
/// - Parameter part: the part of the sound that is encoded; nil for the whole.
/// - Returns: warnings about damage that was concealed in the segments.
func encodeSoundtrack(
    _ plan: SoundtrackPlan, _ segments: [ArtifactKey], _ part: SoundtrackPart?, store: any ArtifactStore,
    _ progress: (Int) -> Void
) throws -> [SourceWarning] {
    var blocks = 0
    func advance() {
        blocks += 1
        progress(blocks)
    }
    let joined = JoinedMix(
        files: try segments.map { try artifact($0, in: store) }, channels: plan.encode.channels,
        samples: part.map { $0.skippedSamples..<($0.skippedSamples + $0.sampleCount) })
    let libraries = try soundLibraries(of: (plan.filters ?? []).plugins)
    let mix: any Mix =
        plan.filters.map {
            FilteredMix(mix: joined, filters: $0, libraries: libraries, encode: plan.encode, sampleCount: plan.sampleCount)
        } ?? joined
    return try writeArtifact(plan.key, into: store, inheriting: try store.warnings(ofAll: segments)) { path in
        guard let mastering = plan.mastering else { return try encode(mix, plan, part, to: path, advance) }
        try encode(mix, mastered: mastering, plan, to: path, advance)
    }
}

/// Encodes the mix below a true peak. Encoders raise true peaks, so a result that exceeds the limit is encoded again
/// from a mix that is lower by the excess.
private func encode(
    _ mix: any Mix, mastered mastering: Mastering, _ plan: SoundtrackPlan, to path: String, _ advance: () -> Void
) throws {
    var lowered = mastering
    for _ in 0..<4 {
        let master = try MasteredMix(mix, lowered, plan.encode, advance)
        try encode(master, plan, nil, to: path, advance)
        let excess = try truePeak(ofFile: path, plan.encode, advance) - mastering.truePeak
        // An excess of up to 0.1 dB is within the precision of true peak meters.
        guard excess > 0.1 else { return }
        lowered.truePeak -= excess
    }
}

private func encode(
    _ mix: any Mix, _ plan: SoundtrackPlan, _ part: SoundtrackPart?, to path: String, _ advance: () -> Void
) throws {
    let encoder = try AudioEncoder(plan.encode, keeping: part.map { AudioPacketRange(first: $0.preRoll, count: $0.packetCount) })
    let writer = try MovieWriter(
        path: path,
        ContainerSettings(fileType: plan.encode.codec.format.soundtrackType, optimizeForNetworkUse: false, metadata: [:]))
    try writer.add(encoder)
    var samples = 0
    try mix.read { block in
        samples += block.count / plan.encode.channels
        try encoder.encode(block, to: writer)
        advance()
    }
    guard samples == plan.sampleCount else {
        throw JobFailure(
            .crash, subject: "", message: "the sound segments hold \(samples) samples instead of \(plan.sampleCount)")
    }
    try encoder.finish(to: writer)
    if let wanted = part?.packetCount, encoder.keptPackets != wanted {
        throw JobFailure(
            .crash, subject: "", message: "the part of the sound has \(encoder.keptPackets) packets instead of \(wanted)")
    }
    try writer.finish()
}

/// The true peak in dBTP of the decoded file, as a player hears it.
private func truePeak(ofFile path: String, _ encode: AudioEncodeSettings, _ advance: () -> Void) throws -> Double {
    let source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
    let reader = try SoundReader(source, sampleRate: encode.sampleRate, channels: encode.channels)
    let meter = try LoudnessMeter(sampleRate: encode.sampleRate, channels: encode.channels)
    let total = (source.facts.audio?.duration ?? .zero).rounded(toRate: encode.sampleRate)
    var block = [Float](repeating: 0, count: 16_384 * encode.channels)
    var start = 0
    while start < total {
        let count = min(16_384, total - start)
        try block.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { try reader.read(from: start, count: count, into: base) }
        }
        block.withUnsafeBufferPointer { meter.add(UnsafeBufferPointer(rebasing: $0[..<(count * encode.channels)])) }
        start += count
        advance()
    }
    return Decibels.level(ofAmplitude: meter.truePeak)
}

/// The file of an artifact that an earlier job has made.
/// - Throws: `JobFailure` of class `transient` where it was damaged or removed meanwhile and has to be made again.
func artifact(_ key: ArtifactKey, in store: any ArtifactStore) throws -> String {
    guard let path = try store.localFile(for: key) else {
        throw JobFailure(
            .transient, subject: key.text, message: "is no longer in the artifact store", missingArtifacts: [key])
    }
    return path
}
