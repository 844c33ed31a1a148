import CAss
package import ExactTime
package import ExportPlan

/// Draws the captions of a file through libass. The same file, time and fonts give the same bytes, whatever was drawn
/// before: hinting is off, and where libass's layout depends on what it drew earlier, the painter makes it draw that
/// first.
///
/// It is used by one thread at a time.
package final class CaptionPainter {
    /// What is seen at an instant.
    package enum Outcome {
        /// The same as at the last call.
        case same
        case nothing
        /// `origin` is the position of the frame in the picture; sizes and positions are even.
        case picture(DrawnPicture)
    }

    private let handles: AssHandles
    private let script: AssScript
    private let fonts: FontLibrary
    /// The fonts that may be used; nil where all fonts may.
    private let planned: [FontFile]?
    private let size: FrameSize
    private let coversFrame: Bool
    private let history: CaptionHistory
    private let emoji: CaptionEmoji
    /// The group that was drawn last, and the last instant drawn of it; nil where the script was not drawn since it was
    /// read.
    private var drawn: (run: Int, time: Int64)?
    private var isEmpty = true

    /// - Parameters:
    ///   - content: the frame's size, and the look of captions whose file has no styles.
    ///   - fonts: the fonts of this machine and of the draft.
    ///   - coversFrame: whether pictures have the size of the frame, instead of only that of the captions.
    ///   - subject: the file's name, for messages.
    /// - Throws: `CaptionError` `missingFont` for a missing font or character, `malformed`, `invalidStyle`,
    ///   `outOfMemory`.
    package init(
        _ file: CaptionFile, _ content: CaptionContent, fonts: FontLibrary, coversFrame: Bool = false, subject: String
    ) throws(CaptionError) {
        self.fonts = fonts
        planned = content.fonts
        do throws(TextRenderingError) {
            emoji = try CaptionEmoji(fonts, content.look?.color ?? CaptionPainter.white, frame: content.size)
            script = try AssScript(file, content, fonts, emoji)
        } catch {
            throw CaptionError(error)
        }
        size = content.size
        self.coversFrame = coversFrame
        handles = try AssHandles(frame: content.size, layout: content.layoutSize, fonts: fonts, subject: subject)
        try handles.read(script, subject)
        let events = ScriptEvent.all(in: handles.track)
        guard events.count > 0 || script.hasNoCues else {
            throw CaptionError(
                .malformed, subject: subject,
                message: "has no event that libass can read; correct the line Format of its section [Events]")
        }
        history = CaptionHistory(events)
        try CaptionPainter.checkFonts(events, fonts, subject)
        guard let planned else { return }
        do throws(TextRenderingError) {
            for file in try emoji.fontFiles() { try file.require(among: planned) }
        } catch {
            throw CaptionError(error)
        }
    }

    private static let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)

    /// - Parameter time: a time of the file.
    /// - Throws: `CaptionError` `missingFont` when libass chooses a font that is not among the planned ones.
    package func draw(at time: MediaTime) throws(CaptionError) -> Outcome {
        // An event is seen from the millisecond in which it starts, up to but not including that in which it ends.
        let now = Int64((time.seconds * Rational(1000)).floor)
        var images: UnsafeMutablePointer<ASS_Image>?
        var isChanged = false
        func draw(_ time: Int64) {
            var change: Int32 = 0
            let isResized = emoji.resize(in: handles.track, at: time)
            images = ass_render_frame(handles.renderer, handles.track, time, &change)
            if change != 0 || isResized { isChanged = true }
        }
        for earlier in pastInstants(before: now) { draw(earlier) }
        draw(now)
        if let planned {
            for file in try chosenFonts() {
                do throws(TextRenderingError) { try file.require(among: planned) } catch { throw CaptionError(error) }
            }
        }
        guard isChanged else { return .same }
        let drawn: CaptionBitmap?
        do throws(TextRenderingError) {
            drawn = try CaptionBitmap(images, emoji, frame: size, coversFrame: coversFrame)
        } catch {
            throw CaptionError(error)
        }
        guard let bitmap = drawn else {
            defer { isEmpty = true }
            return isEmpty ? .same : .nothing
        }
        isEmpty = false
        return .picture(bitmap.picture)
    }

    /// The font files that all captions together are drawn with.
    func fontsOfAllEvents() throws(CaptionError) -> [FontFile] {
        for start in Set(ScriptEvent.all(in: handles.track).map(\.start)).sorted() {
            var change: Int32 = 0
            _ = ass_render_frame(handles.renderer, handles.track, start, &change)
        }
        var files = Set(try chosenFonts())
        do throws(TextRenderingError) { files.formUnion(try emoji.fontFiles()) } catch { throw CaptionError(error) }
        return files.sorted { ($0.name, $0.contentHash) < ($1.name, $1.contentHash) }
    }

    /// The font files that libass has chosen since the last call.
    private func chosenFonts() throws(CaptionError) -> [FontFile] {
        var files: Set<FontFile> = []
        for name in handles.takeChoices() {
            do throws(TextRenderingError) { files.insert(try fonts.file(named: name)) } catch { throw CaptionError(error) }
        }
        return files.sorted { ($0.name, $0.contentHash) < ($1.name, $1.contentHash) }
    }

    /// The instants that have to be drawn first, so that every event is placed where it was placed then.
    private func pastInstants(before now: Int64) -> [Int64] {
        guard let index = history.run(at: now) else { return [] }
        let run = history.runs[index]
        defer { drawn = (index, now) }
        if let drawn, drawn.run == index {
            if drawn.time == now { return [] }
            if drawn.time < now, !run.changesSize { return run.starts.filter { $0 > drawn.time && $0 < now } }
        }
        // Earlier groups have left nothing that matters here. This group and later ones may have been drawn already, so
        // the script is read again.
        if let drawn, drawn.run >= index { handles.forget(script) }
        return run.starts.filter { $0 < now }
    }

    private static func checkFonts(
        _ events: [ScriptEvent], _ fonts: FontLibrary, _ subject: String
    ) throws(CaptionError) {
        let named = events.reduce(into: Set<String>()) { $0.formUnion($1.fonts) }
        if let missing = named.sorted().first(where: { !fonts.has(family: $0) }) {
            throw CaptionError(
                .missingFont, subject: subject,
                message: "is written in the font '\(missing)', which is not installed on this machine")
        }
        let missing = fonts.lacking(events.reduce(into: Set()) { $0.formUnion($1.characters) })
        guard missing.isEmpty else {
            let names = missing.prefix(5).map { "\($0) (U+\(String($0.value, radix: 16, uppercase: true)))" }
            throw CaptionError(
                .missingFont, subject: subject,
                message: "has characters that no font on this machine can draw: \(names.joined(separator: ", "))"
                    + (missing.count > 5 ? " and others" : ""))
        }
    }
}

extension CaptionError {
    fileprivate init(_ error: TextRenderingError) {
        let code: CaptionErrorCode =
            switch error.failureClass {
            case .environment: .missingFont
            case .resource: .outOfMemory
            case .storage: .cannotRead
            case .input, .transient, .crash: .invalidStyle
            }
        self.init(code, subject: error.subject, message: error.message)
    }
}
