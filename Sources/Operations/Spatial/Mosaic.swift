import ExportPlan

/// Squares of one colour each, the mean of their pixels. They are laid out from the top left corner; those at the right
/// and bottom edges may be cut off.
extension OperationDescriptor {
    static let mosaic = OperationDescriptor(
        "mosaic", "Turns the picture into squares of one colour.",
        formula:
            "the mean of the pixels in the square of side round(size) that the pixel lies in, squares laid from the top left",
        parameters: [
            OperationParameter("size", default: 16, neutral: 1, in: 1...1024, unit: "pixels", "a square's side")
        ],
        .spatial { instant in
            let side = max(1, Int(instant["size"].rounded()))
            let (width, height) = (instant.size.width, instant.size.height)
            return { picture in picture.mapPlanes { Mosaic.laid($0, side: side, width: width, height: height) } }
        })
}

private enum Mosaic {
    static func laid(_ plane: [Float], side: Int, width: Int, height: Int) -> [Float] {
        var result = plane
        for top in stride(from: 0, to: height, by: side) {
            let bottom = min(top + side, height)
            for left in stride(from: 0, to: width, by: side) {
                let right = min(left + side, width)
                var sum: Float = 0
                for y in top..<bottom {
                    for x in left..<right { sum += plane[y * width + x] }
                }
                let mean = sum / Float((bottom - top) * (right - left))
                for y in top..<bottom {
                    for x in left..<right { result[y * width + x] = mean }
                }
            }
        }
        return result
    }
}
