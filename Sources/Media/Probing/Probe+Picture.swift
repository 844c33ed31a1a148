import CFFmpeg
import ExactTime
import ExportPlan

/// The orientation, the sample aspect ratio and the colour description of a decoded picture.
extension Probe {
    /// The orientation from the display matrix of the frame (EXIF) or of the container.
    static func orientation(of frame: VideoFrame, _ stream: UnsafeMutablePointer<AVStream>) -> Orientation {
        if let side = av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_DISPLAYMATRIX), let data = side.pointee.data {
            return orientation(matrix: entries(of: data))
        }
        var size = 0
        if let data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 {
            return orientation(matrix: entries(of: data))
        }
        return .upright
    }

    private static func entries(of data: UnsafeMutablePointer<UInt8>) -> [Int32] {
        data.withMemoryRebound(to: Int32.self, capacity: 9) { Array(UnsafeBufferPointer(start: $0, count: 9)) }
    }

    /// The rotation by quarter turns (and the mirroring) nearest to a 3x3 display matrix, whose upper left part maps
    /// (x, y) to (ax + cy, bx + dy).
    static func orientation(matrix: [Int32]) -> Orientation {
        let (a, b, c, d) = (Double(matrix[0]), Double(matrix[1]), Double(matrix[3]), Double(matrix[4]))
        let mirrored = a * d - b * c < 0
        // Mirroring is applied first and reverses the image of the x axis.
        let (x, y) = mirrored ? (-a, -b) : (a, b)
        let turns: Int
        if abs(x) >= abs(y) { turns = x >= 0 ? 0 : 2 } else { turns = y >= 0 ? 1 : 3 }
        return Orientation(quarterTurns: turns, mirrored: mirrored)
    }

    static func sampleAspect(of frame: VideoFrame, _ stream: UnsafeMutablePointer<AVStream>) -> Rational {
        let candidates = [
            stream.pointee.sample_aspect_ratio.exact, frame.pointer.pointee.sample_aspect_ratio.exact,
        ]
        return candidates.first { $0 > Rational(1, 16) && $0 < Rational(16) } ?? .one
    }

    /// The colour description of a frame. Unspecified values are chosen as players do: BT.601 up to 576 lines and in
    /// broadcast sizes, BT.709 above.
    static func colorDescription(of frame: VideoFrame) -> ColorDescription {
        let raw = frame.pointer.pointee
        let descriptor = av_pix_fmt_desc_get(frame.pixelFormat)
        let isRGB = (descriptor?.pointee.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        let television = TelevisionSystem(frame.size)
        let isHighDefinition = television == nil && (frame.size.height > 576 || frame.size.width > 1024)
        let matrix: ColorDescription.Matrix =
            switch raw.colorspace {
            case _ where isRGB: .rgb
            case AVCOL_SPC_BT709: .bt709
            case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: .bt601
            case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
            default: isHighDefinition ? .bt709 : .bt601
            }
        let primaries: ColorDescription.Primaries =
            switch raw.color_primaries {
            case AVCOL_PRI_BT2020: .bt2020
            case AVCOL_PRI_SMPTE432, AVCOL_PRI_SMPTE431: .displayP3
            case AVCOL_PRI_BT470BG: .bt470bg
            case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: .bt601
            case AVCOL_PRI_BT709: .bt709
            default:
                switch matrix {
                case .bt2020: .bt2020
                case .bt601: television?.primaries ?? .bt709
                case .rgb, .bt709: .bt709
                }
            }
        let transfer: ColorDescription.Transfer =
            switch raw.color_trc {
            case AVCOL_TRC_SMPTE2084: .pq
            case AVCOL_TRC_ARIB_STD_B67: .hlg
            default: .sdr
            }
        let isJPEGRange = [
            AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P,
        ]
        .contains(frame.pixelFormat)
        let isGray = (descriptor?.pointee.nb_components ?? 3) < 3 && raw.color_range == AVCOL_RANGE_UNSPECIFIED
        return ColorDescription(
            matrix: matrix, primaries: primaries, transfer: transfer,
            isFullRange: isRGB || isJPEGRange || raw.color_range == AVCOL_RANGE_JPEG || isGray)
    }
}
