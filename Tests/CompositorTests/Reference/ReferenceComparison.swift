import TestSupport

/// How far a composed frame is from the reference.
///
/// The reference's canvas is converted to BT.709 limited range; a chroma sample is the mean of its four pixels. Most
/// samples have to agree within 2 code values times the steepness of the formulas that they went through (contrast 1.5
/// makes 3 of 2).
///
/// Values that 4:2:0 cannot hold are compared loosely. A chroma sample that an edge crosses belongs to both sides, and
/// the compositor scales half as many samples, so its edge is twice as wide there: such a sample has to lie between its
/// neighbours. A luma sample whose colour was computed from such chroma by a nonlinear formula has to lie near its
/// neighbours.
struct ReferenceComparison {
    static let tolerance = 2.0

    /// How many samples were compared closely, and how many loosely.
    private(set) var close = 0
    private(set) var loose = 0
    /// How many closely compared samples, and how many loosely compared ones, are too far off.
    private(set) var wrong = 0
    private(set) var wild = 0
    /// The greatest difference of a closely compared sample from the reference, in multiples of its tolerance, and its
    /// place.
    private(set) var worst = 0.0
    private(set) var worstPlace = ""

    /// - Parameter picture: a picture of the reference's size, which is even.
    init(_ picture: PlanarPicture, _ reference: ReferencePicture) {
        let (width, height) = (reference.width, reference.height)
        let codes = reference.pixels.map { bt709($0.color.x * 255, $0.color.y * 255, $0.color.z * 255) }
        for plane in 0..<3 {
            let step = plane == 0 ? 1 : 2
            let (across, down) = (width / step, height / step)
            var wanted = [Double](repeating: 0, count: across * down)
            var isLoose = [Bool](repeating: false, count: across * down)
            var slopes = [Double](repeating: 1, count: across * down)
            for y in 0..<height {
                for x in 0..<width {
                    let (place, index) = (y / step * across + x / step, y * width + x)
                    let pixel = reference.pixels[index]
                    wanted[place] += codes[index][plane] / Double(step * step)
                    isLoose[place] = isLoose[place] || pixel.isMixed || (plane > 0 && pixel.isSplit)
                    slopes[place] = max(slopes[place], pixel.slope)
                }
            }
            for y in 0..<down {
                for x in 0..<across {
                    let found = Double(picture.planes[plane][y * across + x])
                    let place = y * across + x
                    if isLoose[place] {
                        loose += 1
                        var (low, high) = (255.0, 0.0)
                        for ny in max(0, y - 2)...min(down - 1, y + 2) {
                            for nx in max(0, x - 2)...min(across - 1, x + 2) {
                                low = min(low, wanted[ny * across + nx])
                                high = max(high, wanted[ny * across + nx])
                            }
                        }
                        let room = ReferenceComparison.tolerance * slopes[place] + (plane == 0 ? 24 : 4)
                        if found < low - room || found > high + room { wild += 1 }
                    } else {
                        close += 1
                        let error = abs(found - wanted[place]) / (ReferenceComparison.tolerance * slopes[place])
                        if error > 1 { wrong += 1 }
                        if error > worst {
                            worst = error
                            worstPlace =
                                "plane \(plane) (\(x), \(y)): \(found), not \(wanted[place]), slope \(slopes[place])"
                        }
                    }
                }
            }
        }
    }

    /// At most one sample in a thousand may be off: where coverage is barely above zero, rounding decides.
    var isGood: Bool { wrong * 1000 <= close && wild * 1000 <= loose + close }

    var text: String { "\(wrong) of \(close) off, \(wild) of \(loose) wild; \(worst) tolerances at \(worstPlace)" }
}
