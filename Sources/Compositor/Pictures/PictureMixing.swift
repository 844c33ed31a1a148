import ExportPlan
import Media

/// One side of a mix: a picture as it is, or seen through a grid that names the source of each column and row.
struct MixInput {
    let frame: VideoFrame
    var grid: SourceGrid?

    init(_ frame: VideoFrame, through grid: SourceGrid? = nil) {
        self.frame = frame
        self.grid = grid
    }

    /// A row of a plane. The pointer is into the frame, or into `scratch`.
    func row(_ plane: Int, _ y: Int, scratch: UnsafeMutablePointer<UInt8>) -> UnsafePointer<UInt8> {
        guard let grid else { return UnsafePointer(frame.plane(plane).row(y)) }
        if plane == 0 {
            grid.readLuma(frame.plane(plane), y, into: scratch)
        } else {
            grid.readChroma(frame.plane(plane), y, into: scratch)
        }
        return UnsafePointer(scratch)
    }
}

/// The source of each column and row of a picture, in full-resolution coordinates.
struct SourceGrid {
    var columns: [Int32]
    var rows: [Int32]

    /// The identity: each column and row is its own source.
    init(_ size: FrameSize) {
        columns = (0..<Int32(size.width)).map { $0 }
        rows = (0..<Int32(size.height)).map { $0 }
    }

    fileprivate func readLuma(_ plane: Plane, _ y: Int, into out: UnsafeMutablePointer<UInt8>) {
        let row = plane.row(Int(rows[y]))
        columns.withUnsafeBufferPointer { columns in
            for x in 0..<columns.count { out[x] = row[Int(columns[x])] }
        }
    }

    /// Each chroma sample is the mean of the four places that it covers.
    fileprivate func readChroma(_ plane: Plane, _ y: Int, into out: UnsafeMutablePointer<UInt8>) {
        let upper = plane.row(Int(rows[2 * y]) / 2)
        let lower = plane.row(Int(rows[2 * y + 1]) / 2)
        columns.withUnsafeBufferPointer { columns in
            for x in 0..<columns.count / 2 {
                let (left, right) = (Int(columns[2 * x]) / 2, Int(columns[2 * x + 1]) / 2)
                let sum = UInt16(upper[left]) &+ UInt16(upper[right]) &+ UInt16(lower[left]) &+ UInt16(lower[right])
                out[x] = UInt8(truncatingIfNeeded: (sum &+ 2) >> 2)
            }
        }
    }
}

/// Mixes two pictures with a separate weight for each pixel. A chroma sample uses the mean weight of its four pixels.
///
/// - Parameter weights: fills in the second picture's weights (0...`Blend.one`) along one row of luma.
func mixPictures(
    _ first: MixInput, _ second: MixInput, into target: VideoFrame,
    weights: (_ row: Int, _ into: UnsafeMutablePointer<UInt16>) -> Void
) {
    let (width, height) = (target.size.width, target.size.height)
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 3 * width) { weightRows in
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * width) { scratch in
            guard let upper = weightRows.baseAddress, let one = scratch.baseAddress else { return }
            let lower = upper + width
            let mean = lower + width
            func mixRow(_ plane: Int, _ y: Int, _ weights: UnsafeMutablePointer<UInt16>) {
                let out = target.plane(plane)
                Blend.mixRow(
                    first.row(plane, y, scratch: one), second.row(plane, y, scratch: one + width), weights,
                    into: out.row(y), count: out.width)
            }
            for y in 0..<height / 2 {
                weights(2 * y, upper)
                weights(2 * y + 1, lower)
                mixRow(0, 2 * y, upper)
                mixRow(0, 2 * y + 1, lower)
                for x in 0..<width / 2 {
                    let sum =
                        UInt32(upper[2 * x]) &+ UInt32(upper[2 * x + 1]) &+ UInt32(lower[2 * x]) &+ UInt32(lower[2 * x + 1])
                    mean[x] = UInt16(truncatingIfNeeded: (sum &+ 2) >> 2)
                }
                mixRow(1, y, mean)
                mixRow(2, y, mean)
            }
        }
    }
}
