import ArgumentParser
import CommandLineInterface
import ExportPlan
import Vocabulary

/// Options of the commands that write frames as picture files.
struct PictureOptions: ParsableArguments {
    @Option(help: "How a frame of another shape than --size is fitted: contain, cover or fill.")
    var fit = PictureFit.contain

    @Option(help: "The pictures' type: png, jpeg or webp. Default: by the suffix of -o, and png for standard output.")
    var format: PictureFileType?

    @Flag(help: "Render also what the cache has.")
    var noCache = false

    /// The type of a picture file.
    /// - Parameter output: the file's path; `-` for standard output.
    /// - Throws: the errors of the static function, and exit code 64 for another type than `--format`.
    func fileType(of output: String) throws -> PictureFileType {
        guard output != "-" else { return format ?? .png }
        let type = try PictureOptions.fileType(of: output)
        if let format, format != type {
            throw CommandFailure(
                "'\(output)' is no name of a \(format.rawValue) file; leave --format out", status: ExitStatus.usage)
        }
        return type
    }

    /// The type that a path's suffix names.
    /// - Throws: `CommandFailure`, exit code 64, for a path whose suffix names none.
    static func fileType(of output: String) throws -> PictureFileType {
        guard let type = PictureFileType(suffix: OutputOptions.suffix(of: output)) else {
            throw CommandFailure(
                "'\(output)' is no name of a picture; end it with \(PictureFileType.suffixNames)", status: ExitStatus.usage)
        }
        return type
    }

    /// - Throws: `CommandFailure`, exit code 65, for a picture that is larger than its type allows.
    func check(_ sheet: ContactSheet, _ type: PictureFileType) throws {
        if let complaint = sheet.complaint(as: type) { throw CommandFailure(complaint, status: ExitStatus.badInput) }
    }
}

extension PictureFileType: ExpressibleByArgument {}
extension PictureFit: ExpressibleByArgument {}

/// The size of each frame in a picture.
struct FrameSizeOptions: ParsableArguments {
    @Option(help: "The size of each frame, as in 320x180.")
    var size: FrameSize?

    @Option(help: "The largest size of each frame, as in 1280x720: larger ones are scaled down and keep their shape.")
    var maxSize: FrameSize?

    func validate() throws {
        if size != nil, maxSize != nil { throw ValidationError("give --size or --max-size, not both") }
    }

    /// - Parameter usual: the size where neither option is given.
    func size(of canvas: FrameSize, usual: FrameSize) -> FrameSize {
        if let size { return size }
        return maxSize.map(canvas.scaledDown(to:)) ?? usual
    }
}
