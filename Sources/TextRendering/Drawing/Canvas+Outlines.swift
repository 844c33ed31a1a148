import CPango
import ExportPlan

extension Canvas {
    /// Adds a rectangle to the current path, with round corners where the radius is above zero.
    func addRect(x: Double, y: Double, width: Double, height: Double, cornerRadius: Double) {
        let radius = min(cornerRadius, width / 2, height / 2)
        guard radius > 0 else { return cairo_rectangle(context, x, y, width, height) }
        cairo_new_sub_path(context)
        cairo_arc(context, x + width - radius, y + radius, radius, -.pi / 2, 0)
        cairo_arc(context, x + width - radius, y + height - radius, radius, 0, .pi / 2)
        cairo_arc(context, x + radius, y + height - radius, radius, .pi / 2, .pi)
        cairo_arc(context, x + radius, y + radius, radius, .pi, .pi * 1.5)
        cairo_close_path(context)
    }

    /// Adds the ellipse that fills the rectangle from the origin to (`width`, `height`).
    func addEllipse(width: Double, height: Double) {
        guard width > 0, height > 0 else { return }
        cairo_save(context)
        cairo_scale(context, width / 2, height / 2)
        cairo_new_sub_path(context)
        cairo_arc(context, 1, 1, 1, 0, 2 * .pi)
        cairo_close_path(context)
        // The scale is undone before a stroke is drawn, so that its width is in canvas pixels; the path stays as it is.
        cairo_restore(context)
    }

    func add(_ path: VectorPath) {
        for element in path.elements {
            switch element {
            case .move(let to): cairo_move_to(context, to.x, to.y)
            case .line(let to): cairo_line_to(context, to.x, to.y)
            case .curve(let first, let second, let to):
                cairo_curve_to(context, first.x, first.y, second.x, second.y, to.x, to.y)
            case .close: cairo_close_path(context)
            }
        }
    }
}
