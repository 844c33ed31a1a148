import ArtifactStore
import ExportPlan
import Media

/// Joins the sound segments, masters them, and encodes them in one go: a film has one encoder's delay at its start and no seam.
func encodeSoundtrack(
    _ plan: SoundtrackPlan, _ segments: [ArtifactKey], store: any ArtifactStore, _ progress: (Int) -> Void
) throws {
    var blocks = 0
    func advance() {
        blocks += 1
        progress(blocks)
    }
    let mix = JoinedMix(files: try segments.map { try artifact($0, in: store) }, channels: plan.encode.channels)
    let master = try plan.mastering.map { try MasteredMix(mix, $0, plan.encode, advance) }
    try writeArtifact(plan.key, into: store) { path in
        let encoder = try AudioEncoder(plan.encode)
        let writer = try MovieWriter(
            path: path, ContainerSettings(fileType: .mp4, optimizeForNetworkUse: false, metadata: [:]))
        try writer.add(encoder)
        var samples = 0
        func encode(_ block: UnsafeBufferPointer<Float>) throws {
            samples += block.count / plan.encode.channels
            try encoder.encode(block, to: writer)
            advance()
        }
        if let master { try master.read(encode) } else { try mix.read(encode) }
        guard samples == plan.sampleCount else {
            throw JobFailure(
                .crash, subject: "", message: "the sound segments hold \(samples) samples instead of \(plan.sampleCount)")
        }
        try encoder.finish(to: writer)
        try writer.finish()
    }
}

/// The file of an artifact that an earlier job has made.
/// - Throws: `JobFailure`, class `transient`: it was damaged or removed in between and has to be made again.
func artifact(_ key: ArtifactKey, in store: any ArtifactStore) throws -> String {
    guard let path = try store.localFile(for: key) else {
        throw JobFailure(
            .transient, subject: key.text, message: "is no longer in the artifact store", missingArtifact: key)
    }
    return path
}
