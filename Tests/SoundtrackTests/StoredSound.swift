import ExportPlan
import TestSupport
import Testing

/// A stored form of sound: one of the codecs and containers that clients send, at 48 kHz.
struct StoredSound: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fileName: String
    let options: [String]
    /// Whether the container declares how many samples the encoder put in front. MPEG-TS cannot, and ffmpeg's MKV does
    /// not for AAC, so every player hears the sound one encoder block late.
    var signalsDelay = true

    static let all = [
        StoredSound(testDescription: "AAC in MP4", fileName: "aac.m4a", options: ["-c:a", "aac", "-b:a", "160k"]),
        StoredSound(
            testDescription: "AAC in MPEG-TS", fileName: "aac.ts", options: ["-c:a", "aac", "-b:a", "160k"], signalsDelay: false),
        StoredSound(
            testDescription: "AAC in MKV", fileName: "aac.mkv", options: ["-c:a", "aac", "-b:a", "160k"], signalsDelay: false),
        StoredSound(testDescription: "WAV", fileName: "pcm.wav", options: ["-c:a", "pcm_s16le"]),
        StoredSound(testDescription: "24-bit PCM in MOV", fileName: "pcm.mov", options: ["-c:a", "pcm_s24le"]),
        StoredSound(
            testDescription: "MP3 of constant bit rate", fileName: "cbr.mp3", options: ["-c:a", "libmp3lame", "-b:a", "160k"]),
        StoredSound(
            testDescription: "MP3 of variable bit rate", fileName: "vbr.mp3", options: ["-c:a", "libmp3lame", "-q:a", "3"]),
        StoredSound(testDescription: "Vorbis in WebM", fileName: "vorbis.webm", options: ["-c:a", "libvorbis", "-q:a", "5"]),
        StoredSound(testDescription: "Vorbis in Ogg", fileName: "vorbis.ogg", options: ["-c:a", "libvorbis", "-q:a", "5"]),
        StoredSound(testDescription: "Opus in WebM", fileName: "opus.webm", options: ["-c:a", "libopus", "-b:a", "128k"]),
        StoredSound(testDescription: "FLAC", fileName: "flac.flac", options: ["-c:a", "flac"]),
    ]

    /// Encodes a wave.
    func write(_ wave: Waveform, in directory: TemporaryDirectory) async throws -> SourceReference {
        let path = directory.file(fileName)
        try await wave.write(to: path, options)
        return try reference(path)
    }
}
