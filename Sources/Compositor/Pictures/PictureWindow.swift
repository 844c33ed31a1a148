import ExportPlan

/// The visible part of a picture, in samples. Its edges may lie anywhere between samples.
struct PictureWindow: Equatable {
    var x: ClosedRange<Double>
    var y: ClosedRange<Double>

    init(x: ClosedRange<Double>, y: ClosedRange<Double>) {
        (self.x, self.y) = (x, y)
    }

    /// A window of the whole picture.
    init(_ size: FrameSize) {
        self.init(x: 0...Double(size.width), y: 0...Double(size.height))
    }

    /// - Parameters:
    ///   - area: the visible part in the layer's own pixels.
    ///   - x, y: samples per pixel along each axis.
    init(_ area: LayerCrop.Area, scaledBy x: Double, _ y: Double) {
        self.init(x: (area.x * x)...((area.x + area.width) * x), y: (area.y * y)...((area.y + area.height) * y))
    }

    /// The same part of a plane of half the resolution.
    var halved: PictureWindow { scaled(0.5, 0.5) }

    /// The same part of the transposed picture.
    var transposed: PictureWindow { PictureWindow(x: y, y: x) }

    func scaled(_ x: Double, _ y: Double) -> PictureWindow {
        PictureWindow(
            x: (self.x.lowerBound * x)...(self.x.upperBound * x), y: (self.y.lowerBound * y)...(self.y.upperBound * y))
    }

    var corners: [(x: Double, y: Double)] {
        [
            (x.lowerBound, y.lowerBound), (x.upperBound, y.lowerBound), (x.lowerBound, y.upperBound),
            (x.upperBound, y.upperBound),
        ]
    }
}
