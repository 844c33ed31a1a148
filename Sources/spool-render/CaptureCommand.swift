import ArgumentParser
import ExactTime
import ExportPlan
import Media
import Rendering
import Glibc

/// `spool-render capture` captures media that can be read only once. `spool record append` runs it.
struct CaptureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Record media from a pipe or an address into a file, and print what has come in as lines of JSON.")

    @Argument(help: "The inputs: a path, - for standard input, or an address; one input, or one for picture and one for sound.")
    var inputs: [String]

    @Option(name: [.customShort("o"), .long], help: "The file to write.")
    var output: String

    @Option(help: "How much to record, in seconds or num/den. Default: all.")
    var limit: String?

    @Option(help: "The bytes at which the file ends. Default: none.")
    var maxBytes: Int?

    @Option(help: "The bytes that stay free on the disk. Default: 0.")
    var minFree: Int?

    @Option(help: "libavformat's name of the first input's format.")
    var inputFormat: String?

    @Option(help: "The first input is raw pictures: WIDTHxHEIGHT@RATE:PIXELFORMAT.")
    var rawVideo: String?

    @Option(help: "The last input is raw sound: RATE:CHANNELS:s16le or f32le.")
    var rawAudio: String?

    func run() throws {
        let sources = try sources()
        let duration = try limit.map { text in
            guard let seconds = Rational(text: text), seconds > .zero else {
                throw ValidationError("--limit must be seconds or num/den above 0, not '\(text)'")
            }
            return MediaTime(seconds)
        }
        ProcessSignals.letWritesFail()
        CaptureEnd.catchSignals([SIGINT, SIGTERM, SIGHUP])
        endWithParent()
        // Held until this process ends, so that nobody takes the file for complete before.
        flock(open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644), LOCK_EX)
        do throws(MediaError) {
            let limits = CaptureLimits(duration: duration, byteCount: maxBytes, freeByteCount: minFree)
            say(try Capture.run(sources, to: output, limits, report: say))
        } catch {
            printError("error: \(error.description)\n")
            throw ExitCode(error.failureClass.exitStatus)
        }
    }

    /// Tells the parent what has come in, as a line of JSON.
    private func say(_ captured: CapturedMedia) {
        // Numbers can be encoded, and a parent that is gone hears nothing.
        guard let line = try? MessageLine.encode(captured) else { return }
        print(String(decoding: line, as: UTF8.self), terminator: "")
        fflush(nil)
    }

    private func sources() throws -> [CaptureSource] {
        guard (1...2).contains(inputs.count) else { throw ValidationError("there are one or two inputs, not \(inputs.count)") }
        var sources = inputs.map { CaptureSource($0) }
        sources[0].format = inputFormat
        if let rawVideo {
            guard let raw = RawFormat(pictures: rawVideo) else {
                throw ValidationError(
                    "--raw-video must be WIDTHxHEIGHT@RATE:PIXELFORMAT, as in 640x480@30:yuv420p, with one of FFmpeg's pixel "
                        + "formats, not '\(rawVideo)'")
            }
            sources[0].raw = raw
        }
        if let rawAudio {
            guard let raw = RawFormat(sound: rawAudio) else {
                throw ValidationError(
                    "--raw-audio must be RATE:CHANNELS:s16le or RATE:CHANNELS:f32le, as in 48000:2:s16le, not '\(rawAudio)'")
            }
            guard inputs.count == 2 || rawVideo == nil else {
                throw ValidationError("raw pictures and raw sound come from two inputs")
            }
            sources[inputs.count - 1].raw = raw
        }
        return sources
    }

    /// Ends the process when its parent is gone. Standard input carries media, so its end does not show that the parent
    /// ended.
    private func endWithParent() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { parent in
                while Int(getppid()) == Int(bitPattern: parent) { usleep(200_000) }
                _exit(1)
            }, UnsafeMutableRawPointer(bitPattern: Int(getppid())))
        pthread_detach(thread)
    }
}
