import ArtifactStore
import ExportPlan
import Media
import Soundtrack

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Mixes a sound segment into the store: a headerless file of interleaved little-endian 32-bit floats.
func mixAudio(
    _ segment: AudioSegment, _ sources: [String: SourceReference], into store: any ArtifactStore, _ progress: (Int) -> Void
) throws {
    try writeArtifact(segment.key, into: store) { path in
        let file = try SampleFile(writing: path)
        var blocks = 0
        try SegmentMixer(segment.slice, sources: sources).mix { samples in
            try file.write(samples)
            blocks += 1
            progress(blocks)
        }
        try file.close()
    }
}

/// A file of 32-bit floats.
final class SampleFile {
    private let path: String
    private var file: UnsafeMutablePointer<FILE>?

    init(writing path: String) throws {
        self.path = path
        file = fopen(path, "wbe")
        if file == nil { throw failure() }
    }

    init(reading path: String) throws {
        self.path = path
        file = fopen(path, "rbe")
        if file == nil { throw failure() }
    }

    deinit {
        if let file { fclose(file) }
    }

    func write(_ samples: UnsafeBufferPointer<Float>) throws {
        guard let file, fwrite(samples.baseAddress, 4, samples.count, file) == samples.count else { throw failure() }
    }

    /// - Returns: how many floats were read; fewer than there is room for at the end.
    func read(into samples: UnsafeMutableBufferPointer<Float>) throws -> Int {
        guard let file else { return 0 }
        let count = fread(samples.baseAddress, 4, samples.count, file)
        if count < samples.count, ferror(file) != 0 { throw failure() }
        return count
    }

    func close() throws {
        guard let open = file else { return }
        file = nil
        if fclose(open) != 0 { throw failure() }
    }

    private func failure() -> MediaError {
        MediaError(.cannotWrite, subject: path, message: "cannot be written or read: \(String(cString: strerror(errno)))")
    }
}
