import CFFmpeg
import ExportPlan

/// The colour tags of streams (ITU-T H.273) as libav's constants.
extension ColorDescription {
    var libavPrimaries: AVColorPrimaries {
        switch primaries {
        case .bt709: AVCOL_PRI_BT709
        case .bt601: AVCOL_PRI_SMPTE170M
        case .bt470bg: AVCOL_PRI_BT470BG
        case .bt2020: AVCOL_PRI_BT2020
        case .displayP3: AVCOL_PRI_SMPTE432
        }
    }

    var libavTransfer: AVColorTransferCharacteristic {
        switch transfer {
        case .pq: AVCOL_TRC_SMPTE2084
        case .hlg: AVCOL_TRC_ARIB_STD_B67
        case .sdr where primaries == .bt2020: AVCOL_TRC_BT2020_10
        case .sdr where primaries == .bt601 || primaries == .bt470bg: AVCOL_TRC_SMPTE170M
        case .sdr: AVCOL_TRC_BT709
        }
    }

    var libavMatrix: AVColorSpace {
        switch matrix {
        case .rgb: AVCOL_SPC_RGB
        case .bt709: AVCOL_SPC_BT709
        case .bt601: primaries == .bt470bg ? AVCOL_SPC_BT470BG : AVCOL_SPC_SMPTE170M
        case .bt2020: AVCOL_SPC_BT2020_NCL
        }
    }
}

extension ChromaLocation {
    /// Nil if the location is unspecified.
    init?(_ location: AVChromaLocation) {
        switch location {
        case AVCHROMA_LOC_LEFT: self = .left
        case AVCHROMA_LOC_CENTER: self = .center
        case AVCHROMA_LOC_TOPLEFT: self = .topLeft
        case AVCHROMA_LOC_TOP: self = .top
        case AVCHROMA_LOC_BOTTOMLEFT: self = .bottomLeft
        case AVCHROMA_LOC_BOTTOM: self = .bottom
        default: return nil
        }
    }

    var libav: AVChromaLocation {
        switch self {
        case .left: AVCHROMA_LOC_LEFT
        case .center: AVCHROMA_LOC_CENTER
        case .topLeft: AVCHROMA_LOC_TOPLEFT
        case .top: AVCHROMA_LOC_TOP
        case .bottomLeft: AVCHROMA_LOC_BOTTOMLEFT
        case .bottom: AVCHROMA_LOC_BOTTOM
        }
    }
}

extension VideoFrame {
    /// Tags the picture with its colours. Encoders that write a header for each picture, such as ProRes, take the
    /// colours from the picture.
    func say(_ color: ColorDescription) {
        pointer.pointee.color_primaries = color.libavPrimaries
        pointer.pointee.color_trc = color.libavTransfer
        pointer.pointee.colorspace = color.libavMatrix
        pointer.pointee.color_range = AVCOL_RANGE_MPEG
    }
}
