package import Vocabulary

extension Explanation {
    /// What is explained.
    package enum Subject: Hashable, Sendable, Codable {
        /// The pictures of a segment. Its parts are the examined frames that are made in another way than the one before
        /// them.
        /// - Parameter frames: the frames that were examined, rising: the first, the middle one, the last, and those at
        ///   which a layer appears or disappears.
        case pictures(frames: [Int])
        /// A frame of a segment. Its part is a stack.
        case frame(number: Int)
        /// Layers that become one picture. Its parts are the layers that are drawn, from bottom to top.
        case stack(size: FrameSize)
        case solid(color: RGBAColor)
        case video(source: String)
        case still(source: String)
        case text(text: String)
        case shape
        case captions(source: String)
        /// A picture that a plug-in draws.
        case generator(plugin: String)
        /// Its part is the layer that is blurred.
        case blurred
        /// Its parts are the outgoing and the incoming stack.
        case transition(kind: TransitionKind)
        /// Its part is a stack.
        case group(size: FrameSize)
        /// No picture of its own: the layer changes what lies below it.
        case adjustment
        /// How much of a layer is seen; the last part of that layer. Its part is a stack.
        /// - Parameter feather: in pixels; nil where it changes over time.
        case mask(channel: MaskChannel, isInverted: Bool, feather: Double?)
        /// The samples of a sound segment: the sum of its parts.
        case sounds
        /// One sound.
        /// - Parameter firstSample: the sample of the segment at which it starts.
        case sound(source: String, firstSample: Int, sampleCount: Int)
        /// The sum of the sounds in a group, which are its parts.
        /// - Parameter firstSample: the sample of the segment at which it starts.
        case soundGroup(firstSample: Int, sampleCount: Int)
    }
}

extension Layer.Content {
    /// The layer as the subject of an explanation.
    package var subject: Explanation.Subject {
        switch self {
        case .solid(let color): .solid(color: color)
        case .video(let source, _): .video(source: source)
        case .still(let source): .still(source: source)
        case .blurred: .blurred
        case .text(let text): .text(text: text.text)
        case .shape: .shape
        case .captions(let captions): .captions(source: captions.source)
        case .generator(let generated): .generator(plugin: generated.call.plugin?.name ?? "")
        case .transition(let transition): .transition(kind: transition.kind)
        case .group(_, let size): .group(size: size)
        case .adjustment: .adjustment
        }
    }
}
