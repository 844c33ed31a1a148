import ArtifactStore
import ExportPlan
import Media

/// Joins the sound segments and encodes them in one go: a film has one encoder's delay at its start and no seam.
func encodeSoundtrack(
    _ plan: SoundtrackPlan, _ segments: [ArtifactKey], store: any ArtifactStore, _ progress: (Int) -> Void
) throws {
    try writeArtifact(plan.key, into: store) { path in
        let encoder = try AudioEncoder(plan.encode)
        let writer = try MovieWriter(
            path: path, ContainerSettings(fileType: .mp4, optimizeForNetworkUse: false, metadata: [:]))
        try writer.add(encoder)
        var samples = 0
        var blocks = 0
        var block = [Float](repeating: 0, count: 16_384 * plan.encode.channels)
        for key in segments {
            let file = try SampleFile(reading: try artifact(key, in: store))
            while true {
                let count = try block.withUnsafeMutableBufferPointer { try file.read(into: $0) }
                guard count > 0 else { break }
                samples += count / plan.encode.channels
                try block.withUnsafeBufferPointer {
                    try encoder.encode(UnsafeBufferPointer(rebasing: $0[..<count]), to: writer)
                }
                blocks += 1
                progress(blocks)
            }
        }
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
