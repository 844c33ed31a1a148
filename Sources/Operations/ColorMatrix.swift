/// A linear change of colour: three rows of red, green, blue weights. Operations of the W3C's Filter Effects are of this
/// kind.
struct ColorMatrix {
    let rows: [[Float]]

    init(_ red: [Double], _ green: [Double], _ blue: [Double]) {
        rows = [red, green, blue].map { $0.map { Float($0) } }
    }

    /// The stage that multiplies every colour by it.
    var stage: PixelwiseStage {
        let (r0, r1, r2) = (rows[0][0], rows[0][1], rows[0][2])
        let (g0, g1, g2) = (rows[1][0], rows[1][1], rows[1][2])
        let (b0, b1, b2) = (rows[2][0], rows[2][1], rows[2][2])
        return { row in
            row.mapColors { r, g, b in
                (r0 * r + r1 * g + r2 * b, g0 * r + g1 * g + g2 * b, b0 * r + b1 * g + b2 * b)
            }
        }
    }
}
