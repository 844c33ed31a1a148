import ExportPlan

/// The part of a picture that is seen, in samples; its edges may lie anywhere between them.
struct PictureWindow: Equatable {
    var x: ClosedRange<Double>
    var y: ClosedRange<Double>

    init(x: ClosedRange<Double>, y: ClosedRange<Double>) {
        (self.x, self.y) = (x, y)
    }

    /// All of a picture.
    init(_ size: FrameSize) {
        self.init(x: 0...Double(size.width), y: 0...Double(size.height))
    }

    /// - Parameters: samples per pixel that the area is measured in.
    init(_ area: LayerCrop.Area, scaledBy x: Double, _ y: Double) {
        self.init(x: (area.x * x)...((area.x + area.width) * x), y: (area.y * y)...((area.y + area.height) * y))
    }

    /// The same part of a plane of half the resolution.
    var halved: PictureWindow { scaled(0.5, 0.5) }

    /// The same part of a picture whose axes have changed places.
    var turnedOver: PictureWindow { PictureWindow(x: y, y: x) }

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
