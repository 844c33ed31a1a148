import ExportPlan

/// The standard-definition system that a picture's size belongs to. What a file of broadcast size does not say of its colours is that
/// system's (ITU-R BT.601): players, MLT and FFmpeg's filters read it so. The probe asks.
enum TelevisionSystem {
    /// 525 lines, 30000/1001 pictures a second: NTSC.
    case lines525
    /// 625 lines, 25 pictures a second: PAL and SECAM.
    case lines625

    /// Nil of every other size.
    ///
    /// 704 of the 720 samples of a line are the picture, the rest is blanking. 32 more lines carry the vertical blanking interval (SMPTE ST
    /// 356, D-10); 486 is all of 525's picture, of which DV and DVD keep 480.
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
