import ExportPlan
import TextRendering

/// File formats that libav reads badly or not at all, detected by their first bytes. `Probe` checks them before it
/// opens a file.
enum FileSignature {
    /// A HEIC or AVIF still, read with libheif.
    case heif
    /// A HEIC or AVIF with a picture track, read with libav like a video.
    case heifSequence
    /// A WebP with the animation flag, read with libwebp.
    case animatedWebP
    /// An SVG, also packed by gzip, drawn by librsvg.
    case svg
    /// JSON, which may be a Lottie animation, drawn by rlottie.
    case lottie
    /// A Lottie animation in a ZIP archive, which cannot be read.
    case packedLottie
    /// Everything else, read with libav.
    case other

    /// - Throws: `MediaError` `cannotRead` or `outOfMemory`.
    init(_ file: SourceFile) throws(MediaError) {
        self.init(try file.head(64))
        guard case .other = self, let first = try file.head(1).first else { return }
        if FileSignature.mayBeginSVG.contains(first), SVGDrawing.isBegun(by: try file.head(SVGDrawing.headBytes)) {
            self = .svg
        } else if LottieDocument.isBegun(by: try file.head(64)) {
            self = .lottie
        } else if LottieDocument.isPacked(in: try file.head(4096)) {
            self = .packedLottie
        }
    }

    /// The first bytes of XML, of the byte order marks of UTF-8 and UTF-16, and of gzip.
    private static let mayBeginSVG: Set<UInt8> = Set("< \t\r\n".utf8).union([0xEF, 0xFE, 0xFF, 0x1F])

    /// - Parameter bytes: the first bytes of the file; 21 are enough.
    init(_ bytes: [UInt8]) {
        func text(_ range: Range<Int>) -> String {
            range.upperBound <= bytes.count ? String(decoding: bytes[range], as: UTF8.self) : ""
        }
        self = .other
        if text(4..<8) == "ftyp" {
            // ISO/IEC 23008-12, section 10 and annex B; AV1 Image File Format, section 6.
            switch text(8..<12) {
            case "heic", "heix", "heim", "heis", "mif1", "avif": self = .heif
            case "hevc", "hevx", "hevm", "hevs", "msf1", "avis": self = .heifSequence
            default: break
            }
        } else if text(0..<4) == "RIFF", text(8..<16) == "WEBPVP8X", bytes.count > 20, bytes[20] & 0x02 != 0 {
            self = .animatedWebP
        }
    }
}
