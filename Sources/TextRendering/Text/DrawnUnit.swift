/// A part of a text that can move by itself.
package struct DrawnUnit: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        /// The background box and the shadow of the whole text.
        case backdrop
        /// A unit's strokes.
        case outline
        /// A unit's glyphs.
        case filling
    }

    /// A rectangle in pixels from the top left corner of the text's box.
    package struct Box: Hashable, Sendable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double
    }

    package var part: Part
    /// The unit's index in reading order, from 0; nil for the backdrop.
    package var index: Int?
    /// The box from the top to the bottom of the unit's lines, about whose middle the unit rotates and scales.
    package var box: Box
    /// The unit's picture. As in the picture of the whole text, `origin` is the position of the whole text's box.
    package var picture: DrawnPicture
}

extension DrawnUnit.Box {
    /// Nil for an empty list.
    init?(around clusters: [Cluster]) {
        guard let first = clusters.first else { return nil }
        let rect = clusters.dropFirst().reduce(first.logical) { $0.union($1.logical) }
        self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }
}
