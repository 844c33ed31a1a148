import CFFmpeg

/// Finds the open groups of pictures of a stream from its packets, which are added in decoding order.
struct GroupScan {
    struct Group {
        /// The presentation timestamps of the keyframe and of the first shown picture of the group, in ticks.
        var keyframe, firstShown: Int64
        /// Whether decoding can begin at the keyframe independently of the pictures before it.
        var isRandomAccessPoint: Bool
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
            current = Group(
                keyframe: timestamp, firstShown: timestamp, isRandomAccessPoint: units?.isRandomAccessPoint(packet) ?? true)
        } else if let group = current {
            current?.firstShown = min(group.firstShown, timestamp)
        }
    }

    private mutating func keep() {
        if let current, current.isOpen { found.append(current) }
    }

    /// The open groups, in decoding order.
    var openGroups: [Group] { current.map { $0.isOpen ? found + [$0] : found } ?? found }
}

extension GroupScan.Group {
    fileprivate var isOpen: Bool { !isRandomAccessPoint || firstShown < keyframe }
}
