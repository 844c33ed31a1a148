import ArtifactStore
import ExportPlan
import Media
import Soundtrack
import Glibc

/// Mixes a sound segment into the store, as a headerless file of interleaved little-endian 32-bit floats.
/// - Returns: warnings about damaged parts of the sources, which are silent.
func mixAudio(
    _ segment: AudioSegment, _ sources: JobSources, into store: any ArtifactStore, _ progress: (Int) -> Void
) throws -> [SourceWarning] {
    try writeArtifact(segment.key, into: store, from: sources) { path in
        let file = try SampleFile(writing: path)
        var blocks = 0
        let libraries = try soundLibraries(of: segment.slice.plugins)
        try SegmentMixer(segment.slice, sources: sources.byHash, libraries: libraries, damage: sources.damage).mix { samples in
            try file.write(samples)
            blocks += 1
            progress(blocks)
        }
        try file.close()
    }
}

/// A file of 32-bit floats that is being written.
final class SampleFile {
    private let path: String
    private var file: UnsafeMutablePointer<FILE>?

    /// - Throws: `MediaError` `cannotWrite`.
    init(writing path: String) throws {
        self.path = path
        file = fopen(path, "wbe")
        if file == nil { throw failure(errno) }
    }

    deinit {
        if let file { fclose(file) }
    }

    /// - Throws: `MediaError` `cannotWrite`.
    func write(_ samples: UnsafeBufferPointer<Float>) throws {
        guard let file, fwrite(samples.baseAddress, 4, samples.count, file) == samples.count else { throw failure(errno) }
    }

    /// - Throws: `MediaError` `cannotWrite`.
    func close() throws {
        guard let open = file else { return }
        file = nil
        if fclose(open) != 0 { throw failure(errno) }
    }

    private func failure(_ code: Int32) -> MediaError {
        MediaError(.cannotWrite, subject: path, message: "cannot be written: \(String(cString: strerror(code)))")
    }
}
