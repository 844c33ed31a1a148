/// A Gaussian blur, as the W3C's `feGaussianBlur` defines it.
extension OperationDescriptor {
    static let blur = OperationDescriptor(
        "blur", "Blurs the picture.",
        formula:
            "convolution with a Gaussian of standard deviation radius, within one code value; edges go on with their last pixel",
        parameters: [
            OperationParameter("radius", default: 0, neutral: 0, in: 0...100, unit: "pixels", "the standard deviation")
        ],
        .gaussian { Double($0["radius"]) })
}
