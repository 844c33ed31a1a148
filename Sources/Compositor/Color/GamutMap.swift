import CPixelKernels
import ExportPlan
import Media
import Glibc

/// Converts wide-gamut and HDR pictures to a film's colours (SDR of its primaries, with BT.709's matrix) with one
/// three-dimensional table from 10-bit Y'CbCr to 8-bit Y'CbCr. The table is built once for each source from the published
/// formulas.
///
/// HDR light is mapped by the EETF of ITU-R BT.2390 (section 5.4.1) from 1000 cd/m2 to BT.2408's reference white of 203
/// cd/m2. The EETF is applied to the brightest of the three channels, so that hue is kept. The gamut is converted in
/// linear light, and colours outside of it are clipped.
final class GamutMap {
    private static let points = 33
    /// `points`^3 entries of (Y', Cb, Cr, 0) in 1/64 code values.
    private let table: [Int16]
    private let axis: spool_luma_axis

    /// - Parameter primaries: the film's.
    init(_ color: ColorDescription, to primaries: ColorDescription.Primaries) {
        let points = GamutMap.points
        let light = LightModel(color, to: primaries)
        axis =
            color.isFullRange
            ? spool_luma_axis(before: 0, first: 0, range: 1023, steps: Int32(points - 1))
            : spool_luma_axis(before: 2, first: 64, range: 876, steps: Int32(points - 5))
        var table = [Int16](repeating: 0, count: points * points * points * 4)
        var entry = 0
        for y in 0..<points {
            let luma = Double(axis.first) + Double((y - Int(axis.before)) * Int(axis.range)) / Double(axis.steps)
            for cb in 0..<points {
                for cr in 0..<points {
                    let mapped = light.code(y: luma, cb: Double(32 * cb), cr: Double(32 * cr))
                    for (offset, value) in [mapped.y, mapped.cb, mapped.cr].enumerated() {
                        table[entry + offset] = Int16((min(255, max(0, value)) * 64).rounded())
                    }
                    entry += 4
                }
            }
        }
        self.table = table
    }

    /// - Parameter wide: a `yuv444p10` picture in the source's own matrix and range.
    func map(_ wide: VideoFrame) throws(MediaError) -> VideoFrame {
        let result = try VideoFrame(.yuv420, wide.size)
        let source = (0..<3).map { wide.plane($0) }
        let target = (0..<3).map { result.plane($0) }
        func samples(_ index: Int, _ body: (UnsafePointer<UInt16>) -> Void) {
            source[index].base.withMemoryRebound(to: UInt16.self, capacity: source[index].stride / 2 * source[index].height) {
                body($0)
            }
        }
        samples(0) { y in
            samples(1) { cb in
                samples(2) { cr in
                    spool_map_through_table(
                        y, cb, cr, source[0].stride / 2, source[1].stride / 2, source[2].stride / 2, target[0].base,
                        target[1].base, target[2].base, target[0].stride, target[1].stride, target[2].stride,
                        Int32(wide.size.width), Int32(wide.size.height), table, Int32(GamutMap.points), axis)
                }
            }
        }
        return result
    }
}
