import ArgumentParser
import CommandLineInterface
import ExportPlan
import Vocabulary

/// Options of the commands that write frames as picture files.
struct PictureOptions: ParsableArguments {
    /// How a frame fills a picture of another shape.
    enum Fit: String, CaseIterable, ExpressibleByArgument {
        /// The whole frame, with black beside it.
        case contain
        /// The middle of the frame, which fills the picture.
        case cover
        /// The whole frame, stretched.
        case fill

        var scalingMode: ScalingMode {
            switch self {
            case .contain: .aspectFit
            case .cover: .aspectFill
            case .fill: .fill
            }
        }
    }

    @Option(help: "How a frame of another shape than --size is fitted: contain, cover or fill.")
    var fit = Fit.contain

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
        guard max(sheet.size.width, sheet.size.height) <= type.longestSide else {
            throw CommandFailure(
                "a \(type.rawValue) picture has sides of at most \(type.longestSide) pixels, and this one would have "
                    + "\(sheet.size); ask for a smaller one",
                status: ExitStatus.badInput)
        }
    }
}

extension PictureFileType: ExpressibleByArgument {}

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
        guard let maxSize else { return usual }
        let scale = min(
            1, Double(maxSize.width) / Double(canvas.width), Double(maxSize.height) / Double(canvas.height))
        return FrameSize(
            width: max(1, Int((Double(canvas.width) * scale).rounded())),
            height: max(1, Int((Double(canvas.height) * scale).rounded())))
    }
}
