import ExportPlan

/// A Gaussian blur, as the W3C's `feGaussianBlur` defines it, without its approximation by boxes.
extension OperationDescriptor {
    static let blur = OperationDescriptor(
        "blur", "Blurs the picture.",
        formula: "convolution with a Gaussian of standard deviation radius, out to 3 radii; edges go on with their last pixel",
        parameters: [
            OperationParameter("radius", default: 0, neutral: 0, in: 0...100, unit: "pixels", "the standard deviation")
        ],
        .spatial { instant in
            let blur = PlaneBlur(deviation: Double(instant["radius"]))
            let (width, height) = (instant.size.width, instant.size.height)
            return { picture in picture.mapPlanes { blur.blurred($0, width: width, height: height) } }
        })
}
