/// How a stack of layers becomes one picture at one frame.
public struct StackProgram: Hashable, Sendable, Codable {
    public var size: FrameSize
    /// Whether the picture covers everything; else it begins as nothing and has alpha.
    public var isOpaque: Bool
    /// Layers below the ground that are seen at this frame, and that nobody draws.
    public var hiddenLayers: Int
    /// As many of the lowest layers are joined once, and then used again as one picture.
    public var keptLayers: Int
    /// Those that are drawn, from the lowest up.
    public var layers: [LayerProgram]

    public init(size: FrameSize, isOpaque: Bool, hiddenLayers: Int, keptLayers: Int, layers: [LayerProgram]) {
        self.size = size
        self.isOpaque = isOpaque
        self.hiddenLayers = hiddenLayers
        self.keptLayers = keptLayers
        self.layers = layers
    }

    /// How often its picture is drawn anew.
    public var repetition: LayerProgram.Repetition {
        if keptLayers == layers.count { return .once }
        if layers.count == 1, layers[0].joining == .handedOn { return layers[0].repetition }
        return .everyFrame
    }

    /// Whether another frame is made in the same way, apart from where its rectangles are just then.
    public func isSameWay(as other: StackProgram) -> Bool { withoutPlaces == other.withoutPlaces }

    private var withoutPlaces: StackProgram {
        var result = self
        result.layers = layers.map(\.withoutPlaces)
        return result
    }
}

extension LayerProgram {
    fileprivate var withoutPlaces: LayerProgram {
        var result = self
        if case .blended(_, let mode, let opacity, let isOpaque) = joining {
            result.joining = .blended(
                rect: PixelRect(x: 0, y: 0, width: 0, height: 0), mode: mode, opacity: opacity, isOpaque: isOpaque)
        }
        result.placing?.size = FrameSize(width: 0, height: 0)
        return result
    }
}
