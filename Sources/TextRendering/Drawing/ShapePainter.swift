import CPango
package import ExportPlan

/// Draws shapes: the fill first, then the stroke on top.
package enum ShapePainter {
    /// - Throws: `TextRenderingError` `invalidPath`, which names the place in the path's data, `overLimit` or
    ///   `outOfMemory`.
    package static func draw(_ content: ShapeContent) throws(TextRenderingError) -> DrawnPicture {
        try content.checkLimits()
        let path = try content.path()
        let box = content.box
        let outer = try extent(content, path, start: box)
        let canvas = try Canvas(outer)
        add(content, path, to: canvas)
        if let gradient = content.gradient {
            canvas.setOpaque(.black)
            cairo_fill_preserve(canvas.context)
            canvas.fill(GradientField(gradient, width: content.outline.width, height: content.outline.height))
        } else if let fill = content.fill {
            canvas.set(fill)
            cairo_fill_preserve(canvas.context)
        }
        if let stroke = content.stroke, stroke.width > 0 {
            canvas.set(stroke.color)
            prepare(stroke, canvas)
            if let trim = stroke.trim { canvas.trimPath(trim) }
            cairo_stroke_preserve(canvas.context)
        }
        cairo_new_path(canvas.context)
        var picture = try canvas.picture(boxSize: FrameSize(width: box.width, height: box.height))
        (picture.boxWidth, picture.boxHeight) = (content.outline.width, content.outline.height)
        return picture
    }

    /// The pixels touched by the box and by what is drawn, measured on a canvas of one pixel.
    private static func extent(
        _ content: ShapeContent, _ path: VectorPath, start: PixelBounds
    ) throws(TextRenderingError) -> PixelBounds {
        let canvas = try Canvas(PixelBounds(x: 0, y: 0, width: 1, height: 1))
        add(content, path, to: canvas)
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        var bounds = start
        func include() {
            guard right > left || bottom > top else { return }
            bounds = bounds.union(PixelBounds(x: left, y: top, width: right - left, height: bottom - top))
        }
        cairo_fill_extents(canvas.context, &left, &top, &right, &bottom)
        include()
        if let stroke = content.stroke, stroke.width > 0 {
            prepare(stroke, canvas)
            cairo_stroke_extents(canvas.context, &left, &top, &right, &bottom)
            include()
        }
        return bounds
    }

    private static func add(_ content: ShapeContent, _ path: VectorPath, to canvas: Canvas) {
        switch content.outline {
        case .rect(let width, let height, let cornerRadius):
            canvas.addRect(x: 0, y: 0, width: width, height: height, cornerRadius: cornerRadius)
        case .ellipse(let width, let height): canvas.addEllipse(width: width, height: height)
        case .path: canvas.add(path)
        }
    }

    private static func prepare(_ stroke: Stroke, _ canvas: Canvas) {
        cairo_set_line_width(canvas.context, stroke.width)
        cairo_set_line_join(canvas.context, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_cap(canvas.context, CAIRO_LINE_CAP_ROUND)
    }
}

extension ShapeContent {
    fileprivate var box: PixelBounds {
        PixelBounds(x: 0, y: 0, width: outline.width, height: outline.height)
    }

    /// The parsed path, as far as it has turned into another; empty for other outlines.
    fileprivate func path() throws(TextRenderingError) -> VectorPath {
        guard case .path(let data, _, _) = outline else { return VectorPath(elements: []) }
        guard let morph, !morph.paths.isEmpty else { return try parsed(data) }
        let paths = [data] + morph.paths
        let place = min(Double(paths.count - 1), max(0, morph.place))
        let index = min(paths.count - 2, Int(place))
        guard let path = try parsed(paths[index]).morphed(into: try parsed(paths[index + 1]), place - Double(index)) else {
            throw TextRenderingError(
                .invalidPath, subject: "path \(index + 2)", message: "has other segments than the path before it")
        }
        return path
    }

    private func parsed(_ data: String) throws(TextRenderingError) -> VectorPath {
        do {
            return try VectorPath(svg: data)
        } catch {
            throw TextRenderingError(.invalidPath, subject: error.subject, message: error.message)
        }
    }
}
