import CFFmpeg

/// Finds out, packet by packet in order of decoding, which groups of pictures are open.
struct GroupScan {
    struct Group {
        /// Presentation timestamps.
        var keyframe, firstShown: Int64
        /// Whether decoding can begin here whatever came before.
        var beginsAnew: Bool
    }

    private let units: NALUnits?
    private var current: Group?
    private var found: [Group] = []

    init(_ parameters: UnsafeMutablePointer<AVCodecParameters>?) {
        units = parameters.flatMap(NALUnits.init)
    }

    mutating func add(_ packet: Packet, _ timestamp: Int64) {
        if packet.isKeyframe {
            keep()
            current = Group(keyframe: timestamp, firstShown: timestamp, beginsAnew: units?.beginsAnew(packet) ?? true)
        } else if let group = current {
            current?.firstShown = min(group.firstShown, timestamp)
        }
    }

    private mutating func keep() {
        if let current, current.isOpen { found.append(current) }
    }

    /// In order of decoding.
    var openGroups: [Group] { current.map { $0.isOpen ? found + [$0] : found } ?? found }
}

extension GroupScan.Group {
    fileprivate var isOpen: Bool { !beginsAnew || firstShown < keyframe }
}
