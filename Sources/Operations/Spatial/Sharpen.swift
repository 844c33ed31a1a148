import ExportPlan

/// An unsharp mask: it adds the difference between the picture and its Gaussian blur, multiplied by `amount`.
extension OperationDescriptor {
    static let sharpen = OperationDescriptor(
        "sharpen", "Sharpens edges (unsharp mask).",
        formula: "c + amount * (c - blur(c, radius)); alpha stays",
        parameters: [
            OperationParameter("amount", default: 0, neutral: 0, in: 0...5, unit: "factor", "how strongly"),
            OperationParameter("radius", default: 1.5, in: 0.1...50, unit: "pixels", "the blur's standard deviation"),
        ],
        .spatial { instant in
            let amount = instant["amount"]
            let blur = PlaneBlur(deviation: Double(instant["radius"]))
            let (width, height) = (instant.size.width, instant.size.height)
            return { picture in
                var result = picture
                for index in 0..<3 {
                    let plane = picture.planes[index]
                    let blurred = blur.blurred(plane, width: width, height: height)
                    result.planes[index] = zip(plane, blurred).map { $0 + amount * ($0 - $1) }
                }
                return result
            }
        })
}
