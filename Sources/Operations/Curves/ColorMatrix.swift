/// A linear change of colour: three rows of weights for red, green and blue. Many operations of the W3C's Filter
/// Effects are of this kind.
struct ColorMatrix {
    let rows: [[Double]]

    init(_ red: [Double], _ green: [Double], _ blue: [Double]) {
        rows = [red, green, blue]
    }

    /// A mix of the identity and this matrix.
    /// - Parameter amount: 0 is the identity and 1 the whole matrix. Larger values extrapolate.
    func mixedWithIdentity(_ amount: Double) -> ColorMatrix {
        let mixed = rows.enumerated().map { y, row in
            row.enumerated().map { x, weight in weight * amount + (x == y ? 1 - amount : 0) }
        }
        return ColorMatrix(mixed[0], mixed[1], mixed[2])
    }

    /// The stage that multiplies every colour by this matrix.
    var stage: PixelwiseStage {
        let rows = rows.map { $0.map { Float($0) } }
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
