import CPango
import ExportPlan

extension Canvas {
    /// Replaces the current path by the part of its length that is drawn.
    func trimPath(_ trim: Trim) {
        let (start, end) = (min(1, max(0, trim.start)), min(1, max(0, trim.end)))
        guard end > start else { return cairo_new_path(context) }
        guard end - start < 1 else { return }
        let outline = Polylines(context)
        cairo_new_path(context)
        let from = (start + trim.offset) - (start + trim.offset).rounded(.down)
        let to = from + end - start
        for (begin, end) in to <= 1 ? [(from, to)] : [(from, 1), (0, to - 1)] {
            for polyline in outline.part(from: begin * outline.length, to: end * outline.length) {
                cairo_move_to(context, polyline[0].x, polyline[0].y)
                for point in polyline.dropFirst() { cairo_line_to(context, point.x, point.y) }
            }
        }
    }
}

/// A path as lines, whose lengths can be measured.
private struct Polylines {
    typealias Point = VectorPath.Point

    private var lines: [[Point]] = []
    /// The length of all lines.
    private(set) var length = 0.0

    /// Takes the current path of a cairo context. Its curves become lines within the context's tolerance.
    init(_ context: OpaquePointer) {
        guard let path = cairo_copy_path_flat(context) else { return }
        defer { cairo_path_destroy(path) }
        guard path.pointee.status == CAIRO_STATUS_SUCCESS, let data = path.pointee.data else { return }
        var index = 0
        while index < Int(path.pointee.num_data) {
            let header = data[index].header
            let point = Int(header.length) > 1 ? Point(x: data[index + 1].point.x, y: data[index + 1].point.y) : nil
            index += max(1, Int(header.length))
            switch (header.type, point) {
            case (CAIRO_PATH_MOVE_TO, let point?): lines.append([point])
            case (CAIRO_PATH_LINE_TO, let point?) where !lines.isEmpty: lines[lines.count - 1].append(point)
            case (CAIRO_PATH_CLOSE_PATH, _):
                if let first = lines.last?.first { lines[lines.count - 1].append(first) }
            default: break
            }
        }
        for line in lines { length += zip(line, line.dropFirst()).reduce(0) { $0 + Polylines.distance($1.0, $1.1) } }
    }

    private static func distance(_ a: Point, _ b: Point) -> Double {
        let (x, y) = (b.x - a.x, b.y - a.y)
        return (x * x + y * y).squareRoot()
    }

    /// The lines between two distances along all of them.
    func part(from start: Double, to end: Double) -> [[Point]] {
        var visible: [[Point]] = []
        var covered = 0.0
        for line in lines {
            var polyline: [Point] = []
            for (a, b) in zip(line, line.dropFirst()) {
                let length = Polylines.distance(a, b)
                defer { covered += length }
                guard length > 0, covered + length > start, covered < end else { continue }
                func point(_ place: Double) -> Point {
                    let share = (place - covered) / length
                    return Point(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
                }
                if polyline.isEmpty { polyline.append(point(max(start, covered))) }
                polyline.append(point(min(end, covered + length)))
            }
            if polyline.count > 1 { visible.append(polyline) }
        }
        return visible
    }
}
