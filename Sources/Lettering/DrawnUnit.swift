/// A piece of a text that can move by itself.
public struct DrawnUnit: Hashable, Sendable {
    public enum Part: Hashable, Sendable {
        /// Background box and shadow of the whole text.
        case backdrop
        /// A unit's strokes.
        case outline
        /// A unit's glyphs.
        case filling
    }

    /// Pixels from the text's box's top left corner.
    public struct Box: Hashable, Sendable {
        public var x: Double
        public var y: Double
        public var width: Double
        public var height: Double
    }

    public var part: Part
    /// Which unit it is of, in reading order from 0; nil for the backdrop.
    public var index: Int?
    /// From the top of its lines to their bottom: what it turns and grows about.
    public var box: Box
    /// Its `origin` is where the whole text's box begins, as in the whole text's picture.
    public var picture: DrawnPicture
}

extension DrawnUnit.Box {
    /// Nil where there is nothing.
    init?(around clusters: [Cluster]) {
        guard let first = clusters.first else { return nil }
        let rect = clusters.dropFirst().reduce(first.logical) { $0.union($1.logical) }
        self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }
}
