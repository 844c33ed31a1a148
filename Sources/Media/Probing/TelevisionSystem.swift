import ExportPlan

/// The standard-definition television system that a picture's size belongs to. The probe takes colours that a file of
/// broadcast size does not specify from that system (ITU-R BT.601), as players, MLT and FFmpeg's filters do.
enum TelevisionSystem {
    /// 525 lines, 30000/1001 pictures a second: NTSC.
    case lines525
    /// 625 lines, 25 pictures a second: PAL and SECAM.
    case lines625

    /// Nil for all other sizes.
    ///
    /// 704 of the 720 samples of a line are picture, and the rest is blanking. Another 32 lines carry the vertical
    /// blanking interval (SMPTE ST 356, D-10). The full picture of 525 lines has 486, of which DV and DVD keep 480.
    init?(_ size: FrameSize) {
        guard [702, 704, 720].contains(size.width) else { return nil }
        switch size.height {
        case 480, 486, 512: self = .lines525
        case 576, 608: self = .lines625
        default: return nil
        }
    }

    var primaries: ColorDescription.Primaries {
        switch self {
        case .lines525: .bt601
        case .lines625: .bt470bg
        }
    }
}
