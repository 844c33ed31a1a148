import ExportPlan

/// A blur along the rays from a centre (GPUImage's `GPUImageZoomBlurFilter`): nine bilinear samples on the ray. Beyond
/// the picture's edges the edge pixels are repeated.
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
            let center = (
                x: instant["center.x"] * Float(instant.size.width), y: instant["center.y"] * Float(instant.size.height)
            )
            let weights: [Float] = [0.18, 0.15, 0.12, 0.09, 0.05]
            let grids = (-4...4).map { k in
                let offset = Float(k) * step
                return GridSampling(
                    instant.size, column: { $0 + offset * (center.x - $0) }, row: { $0 + offset * (center.y - $0) })
            }
            return { picture in
                picture.mapPlanes { plane in
                    var sum = plane
                    for (index, grid) in grids.enumerated() {
                        grid.add(plane, weight: weights[abs(index - 4)], isFirst: index == 0, to: &sum)
                    }
                    return sum
                }
            }
        })
}
