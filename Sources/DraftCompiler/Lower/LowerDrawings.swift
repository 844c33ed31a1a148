import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

extension TextContent {
    /// A text with all defaults filled in.
    /// - Parameters:
    ///   - fonts: the font files that it is drawn with; nil if they are unknown.
    ///   - start: when the text is first seen.
    init(_ style: TextStyle, fonts: [FontFile]?, from start: MediaTime) {
        self.init(
            text: style.text, font: style.fontOrStandard,
            color: style.color.map(RGBAColor.init) ?? RGBAColor(red: 255, green: 255, blue: 255, alpha: 255),
            alignment: style.align ?? .center, box: Box(width: style.box?.width, height: style.box?.height),
            lineSpacing: style.lineSpacing ?? 1, letterSpacing: style.letterSpacing ?? 0, stroke: style.stroke.map(Stroke.init),
            shadow: style.shadow.map { shadow in
                Shadow(
                    color: RGBAColor(shadow.color), x: shadow.offset?.x ?? 0, y: shadow.offset?.y ?? 0, blur: shadow.blur ?? 0)
            },
            backgroundBox: style.backgroundBox.map { box in
                Background(color: RGBAColor(box.color), padding: box.padding ?? 0, cornerRadius: box.cornerRadius ?? 0)
            }, fonts: fonts, animation: style.animation.map { TextAnimation($0, from: start) },
            gradient: style.gradient.map(Gradient.init))
        if style.fitBox == true { fitsBox = true }
        runs = style.loweredRuns
    }
}

extension TextStyle {
    /// The runs as a plan has them; nil where the text has none.
    var loweredRuns: [ExportPlan.TextRun]? {
        runs?.map { run in
            var lowered = ExportPlan.TextRun(byteCount: run.text.utf8.count, font: run.font, script: run.script)
            lowered.color = run.color.map(RGBAColor.init)
            lowered.background = run.backgroundColor.map(RGBAColor.init)
            lowered.stroke = run.stroke.map(Stroke.init)
            lowered.letterSpacing = run.letterSpacing
            lowered.isUnderlined = run.underline == true ? true : nil
            lowered.isStruckThrough = run.strikethrough == true ? true : nil
            lowered.baselineOffset = run.baselineOffset
            return lowered
        }
    }
}

extension DrawnContent {
    /// The same content with the animated numbers of its source.
    func with(_ animated: AnimatedProperties) -> Self {
        let animated = animated.inside("source")
        var result = self
        for number in Number.allCases {
            if let value = animated.animated(number.rawValue) { result.set(number, to: value) }
        }
        return result
    }
}

extension TextAnimation {
    init(_ style: TextAnimationStyle, from start: MediaTime) {
        self.init(
            unit: style.unit, start: start, delay: style.delay ?? MediaTime(Rational(1, 20)),
            duration: style.duration ?? MediaTime(Rational(2, 5)), easing: style.timingFunction ?? .easeOut,
            from: Beginning(
                opacity: style.opacity ?? 0, x: style.offset?.x ?? 0, y: style.offset?.y ?? 0, scale: style.scale ?? 1,
                rotation: style.rotation ?? 0))
    }
}

extension CaptionContent.Look {
    /// A caption style with all defaults filled in.
    /// - Parameter size: the draft's `videoSize`.
    init(_ style: CaptionStyle?, in size: FrameSize) {
        let box = style?.backgroundBox.map { Box(color: RGBAColor($0.color), padding: $0.padding ?? 0) }
        // Captions without a box get an outline, so that they are legible on any picture.
        let edge = box == nil ? Stroke(color: .black, width: 4) : nil
        self.init(
            font: style?.font ?? TextStyle.standardFont,
            color: style?.color.map(RGBAColor.init) ?? RGBAColor(red: 255, green: 255, blue: 255, alpha: 255),
            stroke: style?.stroke.map(Stroke.init) ?? edge, backgroundBox: box, alignment: style?.align ?? .center,
            verticalAlignment: style?.verticalAlign ?? .bottom, marginX: style?.margin?.x ?? size.width / 20,
            marginY: style?.margin?.y ?? size.height / 20)
    }
}

extension SourceFacts {
    /// Whether the captions file brings its own styles.
    var hasOwnStyles: Bool { container == "ass" }
}

extension ShapeContent {
    /// A shape with all defaults filled in. It is white if neither fill nor stroke is given.
    init(_ style: ShapeStyle) {
        let outline: Outline =
            switch style.shape {
            case .rect: .rect(width: style.width, height: style.height, cornerRadius: style.cornerRadius ?? 0)
            case .ellipse: .ellipse(width: style.width, height: style.height)
            case .path: .path(data: style.path ?? "", width: style.width, height: style.height)
            }
        let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
        self.init(
            outline: outline,
            fill: style.fill.map(RGBAColor.init) ?? (style.stroke == nil && style.gradient == nil ? white : nil),
            stroke: style.stroke.map(Stroke.init), gradient: style.gradient.map(Gradient.init))
        morph = style.morphTo.map { Morph($0, place: style.morph ?? 0) }
    }
}

extension Gradient {
    /// A gradient with all defaults filled in.
    init(_ style: GradientStyle) {
        let (start, end) = style.ends
        self.init(
            style.type ?? .linear,
            zip(style.stops, style.locations).map { Stop(color: RGBAColor($0.color), location: $1) },
            from: Point(x: start.x, y: start.y), to: Point(x: end.x, y: end.y))
    }
}

extension Stroke {
    init(_ style: LineStyle) {
        self.init(
            color: RGBAColor(style.color), width: style.width,
            trim: style.trim.map { Trim(start: $0.start ?? 0, end: $0.end ?? 1, offset: $0.offset ?? 0) })
    }
}
