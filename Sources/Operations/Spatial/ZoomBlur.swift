import ExportPlan

/// A blur along the rays from a centre (GPUImage's `GPUImageZoomBlurFilter`): nine samples on the ray, bilinear, the
/// picture going on beyond its edges with its edge pixels.
extension OperationDescriptor {
    static let zoomBlur = OperationDescriptor(
        "zoomBlur", "Blurs along the rays from a centre, as a fast zoom does.",
        formula:
            "sum of w_k c(p + k * 0.01 * strength * (centre - p)), k = -4...4, w = 0.05, 0.09, 0.12, 0.15, 0.18, 0.15, 0.12, 0.09, 0.05 (GPUImage)",
        parameters: [
            OperationParameter("strength", default: 0, neutral: 0, in: 0...20, unit: "percent", "how far apart the samples are"),
            OperationParameter("center.x", default: 0.5, in: -1...2, unit: "of the width", "where the rays meet"),
            OperationParameter("center.y", default: 0.5, in: -1...2, unit: "of the height", "where the rays meet"),
        ],
        .spatial { instant in
            let step = 0.01 * instant["strength"]
            let (width, height) = (instant.size.width, instant.size.height)
            let center = (instant["center.x"] * Float(width), instant["center.y"] * Float(height))
            return { picture in
                var result = picture
                for k in -4...4 {
                    RaySampling(offset: Float(k) * step, center: center, width: width, height: height)
                        .add(picture, weight: RaySampling.weights[abs(k)], isFirst: k == -4, to: &result)
                }
                return result
            }
        })
}

/// The picture scaled about a centre, sampled bilinearly.
private struct RaySampling {
    static let weights: [Float] = [0.18, 0.15, 0.12, 0.09, 0.05]

    /// For each column, and for each row: the sample before, the one after, and the share of the one after.
    private let columns: [(Int, Int, Float)]
    private let rows: [(Int, Int, Float)]

    init(offset: Float, center: (Float, Float), width: Int, height: Int) {
        func places(_ count: Int, _ center: Float) -> [(Int, Int, Float)] {
            (0..<count).map { index in
                let place = Float(index) + 0.5
                let sample = max(0, min(Float(count - 1), place + offset * (center - place) - 0.5))
                let before = Int(sample)
                return (before, min(before + 1, count - 1), sample - Float(before))
            }
        }
        columns = places(width, center.0)
        rows = places(height, center.1)
    }

    /// Adds `weight` times the sampled picture to every plane that means something.
    func add(_ source: FloatPicture, weight: Float, isFirst: Bool, to target: inout FloatPicture) {
        let width = columns.count
        for index in 0..<(source.hasAlpha ? 4 : 3) {
            source.planes[index].withUnsafeBufferPointer { plane in
                target.planes[index].withUnsafeMutableBufferPointer { out in
                    for (y, (above, below, down)) in rows.enumerated() {
                        let (top, bottom) = (above * width, below * width)
                        for (x, (left, right, across)) in columns.enumerated() {
                            let upper = plane[top + left] + (plane[top + right] - plane[top + left]) * across
                            let lower = plane[bottom + left] + (plane[bottom + right] - plane[bottom + left]) * across
                            let value = weight * (upper + (lower - upper) * down)
                            out[y * width + x] = isFirst ? value : out[y * width + x] + value
                        }
                    }
                }
            }
        }
    }
}
