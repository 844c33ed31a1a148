import CAss
public import ExactTime
public import ExportPlan
public import Lettering

/// Draws the captions of a file through libass. The same file, time and fonts give the same bytes, whatever was drawn before:
/// nothing is hinted, and where libass goes by what it drew last, it is made to draw that first.
///
/// Used by one thread at a time.
public final class CaptionPainter {
    /// What is to be seen at an instant.
    public enum Outcome {
        /// What was seen the last time.
        case same
        case nothing
        /// `origin` says where the frame begins in it; both sides and places are even.
        case picture(DrawnPicture)
    }

    private let handles: AssHandles
    private let script: AssScript
    private let fonts: FontLibrary
    /// The hashes of those that may be drawn with; nil where all may.
    private let planned: [FontFile]?
    private let size: FrameSize
    private let coversFrame: Bool
    private let history: CaptionHistory
    private let emoji: CaptionEmoji
    /// The run that was drawn last, and until when; nothing where the script is as it was read.
    private var drawn: (run: Int, time: Int64)?
    private var isEmpty = true

    /// - Parameters:
    ///   - content: says how large the frame is, and how the captions look where the file does not.
    ///   - fonts: this machine's, and those of the draft.
    ///   - coversFrame: pictures are as large as the frame, not only as the captions are.
    ///   - subject: the file's name, for messages.
    /// - Throws: `CaptionError` `missingFont` for a font or a character that is not there, `malformed`, `invalidStyle`,
    ///   `outOfMemory`.
    public init(
        _ file: CaptionFile, _ content: CaptionContent, fonts: FontLibrary, coversFrame: Bool = false, subject: String
    ) throws(CaptionError) {
        self.fonts = fonts
        planned = content.fonts
        do throws(LetteringError) {
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
            throw CaptionError(.malformed, subject: subject, message: "has no event that libass can read")
        }
        history = CaptionHistory(events)
        try CaptionPainter.checkFonts(events, fonts, subject)
        guard let planned else { return }
        do throws(LetteringError) {
            for file in try emoji.fontFiles() { try file.require(among: planned) }
        } catch {
            throw CaptionError(error)
        }
    }

    private static let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)

    /// - Parameter time: of the file.
    /// - Throws: `CaptionError` `missingFont` when libass takes a font that the film was not planned with.
    public func draw(at time: MediaTime) throws(CaptionError) -> Outcome {
        // An event is seen from its own millisecond on, until that in which it ends.
        let now = Int64((time.seconds * Rational(1000)).floor)
        var images: UnsafeMutablePointer<ASS_Image>?
        var isChanged = false
        func draw(_ time: Int64) {
            var change: Int32 = 0
            images = ass_render_frame(handles.renderer, handles.track, time, &change)
            if change != 0 { isChanged = true }
        }
        for earlier in pastInstants(before: now) { draw(earlier) }
        draw(now)
        if let planned {
            for file in try chosenFonts() {
                do throws(LetteringError) { try file.require(among: planned) } catch { throw CaptionError(error) }
            }
        }
        guard isChanged else { return .same }
        let drawn: CaptionBitmap?
        do throws(LetteringError) {
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

    /// Everything that is written in the captions, and with what.
    func fontsOfAllEvents() throws(CaptionError) -> [FontFile] {
        for start in Set(ScriptEvent.all(in: handles.track).map(\.start)).sorted() {
            var change: Int32 = 0
            _ = ass_render_frame(handles.renderer, handles.track, start, &change)
        }
        var files = Set(try chosenFonts())
        do throws(LetteringError) { files.formUnion(try emoji.fontFiles()) } catch { throw CaptionError(error) }
        return files.sorted { ($0.name, $0.contentHash) < ($1.name, $1.contentHash) }
    }

    /// What libass has chosen since this was asked last.
    private func chosenFonts() throws(CaptionError) -> [FontFile] {
        var files: Set<FontFile> = []
        for name in handles.takeChoices() {
            do throws(LetteringError) { files.insert(try fonts.file(named: name)) } catch { throw CaptionError(error) }
        }
        return files.sorted { ($0.name, $0.contentHash) < ($1.name, $1.contentHash) }
    }

    /// The instants that have to be drawn before, so that everything finds the room that it found then.
    private func pastInstants(before now: Int64) -> [Int64] {
        guard let index = history.run(at: now) else { return [] }
        let run = history.runs[index]
        defer { drawn = (index, now) }
        if let drawn, drawn.run == index {
            if drawn.time == now { return [] }
            if drawn.time < now, !run.changesSize { return run.starts.filter { $0 > drawn.time && $0 < now } }
        }
        // Runs that lie behind have left nothing in this one; the run itself has, and those after it may be drawn again.
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
    fileprivate init(_ error: LetteringError) {
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
