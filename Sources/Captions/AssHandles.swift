import CAss
import ExportPlan
import Lettering

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What libass is given of a file: a script as it is, or a header and events.
struct AssScript {
    private let text: String
    private let events: [CaptionScript.Event]
    private let isCues: Bool
    private let emoji: CaptionEmoji

    /// - Throws: `LetteringError` when the font of the style is not there.
    init(
        _ file: CaptionFile, _ content: CaptionContent, _ fonts: FontLibrary, _ emoji: CaptionEmoji
    ) throws(LetteringError) {
        self.emoji = emoji
        switch file.body {
        case .script(let script):
            text = script
            events = []
            isCues = false
        case .cues(let cues):
            guard let look = content.look else {
                throw LetteringError(.invalidFont, subject: "captions", message: "have no style, and their file has none")
            }
            let font = try ChosenFont(look.font, in: fonts)
            let script = CaptionScript(cues, look, font, size: content.layoutSize)
            text = script.header
            events = script.events
            isCues = true
        }
    }

    /// Whether there is nothing to be seen, ever: a file of cues may have none.
    var hasNoCues: Bool { isCues && events.isEmpty }

    /// A new track; the caller frees it.
    func track(_ library: OpaquePointer) -> UnsafeMutablePointer<ASS_Track>? {
        var bytes = Array(text.utf8).map { CChar(bitPattern: $0) }
        guard let track = ass_read_memory(library, &bytes, bytes.count, nil) else { return nil }
        for event in events {
            var fields = Array(event.fields.utf8).map { CChar(bitPattern: $0) }
            ass_process_chunk(track, &fields, Int32(fields.count), event.start, event.duration)
        }
        emoji.replace(in: track)
        return track
    }
}

/// libass's library, renderer and track. Frees them in the end.
final class AssHandles {
    private let library: OpaquePointer
    private let choices: UnsafeMutablePointer<spool_ass_choices>
    let renderer: OpaquePointer
    private(set) var track: UnsafeMutablePointer<ASS_Track>
    /// Megabytes of glyphs and of bitmaps that are kept, at most.
    private static let cacheLimits: (glyphs: Int32, megabytes: Int32) = (10_000, 64)

    /// - Parameters:
    ///   - frame: what is drawn, in pixels.
    ///   - layout: what it stands for; blurs and turns in space go by it.
    ///   - fonts: what is drawn with.
    /// - Throws: `CaptionError` `outOfMemory`, `missingFont` for a font file that cannot be read any more.
    init(frame: FrameSize, layout: FrameSize, fonts: FontLibrary, subject: String) throws(CaptionError) {
        let outOfMemory = CaptionError(.outOfMemory, subject: subject, message: "cannot be drawn: libass cannot be set up")
        guard let library = ass_library_init() else { throw outOfMemory }
        let choices = UnsafeMutablePointer<spool_ass_choices>.allocate(capacity: 1)
        choices.initialize(to: spool_ass_choices())
        spool_ass_listen(library, choices)
        ass_set_extract_fonts(library, 0)
        guard let renderer = ass_renderer_init(library), let track = ass_new_track(library) else {
            ass_library_done(library)
            free(choices.pointee.text)
            choices.deallocate()
            throw outOfMemory
        }
        self.choices = choices
        self.library = library
        self.renderer = renderer
        self.track = track
        ass_set_storage_size(renderer, Int32(layout.width), Int32(layout.height))
        ass_set_frame_size(renderer, Int32(frame.width), Int32(frame.height))
        ass_set_hinting(renderer, ASS_HINTING_NONE)
        ass_set_cache_limits(renderer, AssHandles.cacheLimits.glyphs, AssHandles.cacheLimits.megabytes)
        try AssFonts.set(fonts, library, renderer)
    }

    /// The files, or the names of the draft's own, that were chosen to draw with since this was asked last.
    func takeChoices() -> Set<String> {
        defer { choices.pointee.length = 0 }
        guard let text = choices.pointee.text else { return [] }
        let lines = UnsafeRawBufferPointer(start: text, count: choices.pointee.length).split(separator: UInt8(ascii: "\n"))
        return Set(lines.compactMap { AssFonts.chosen(String(decoding: $0, as: UTF8.self)) })
    }

    deinit {
        ass_free_track(track)
        ass_renderer_done(renderer)
        ass_library_done(library)
        free(choices.pointee.text)
        choices.deallocate()
    }

    /// - Throws: `CaptionError` `malformed`.
    func read(_ script: AssScript, _ subject: String) throws(CaptionError) {
        guard let made = script.track(library) else {
            throw CaptionError(.malformed, subject: subject, message: "cannot be read by libass")
        }
        ass_free_track(track)
        track = made
    }

    /// Takes a script that has been drawn for one that has not.
    func forget(_ script: AssScript) {
        // It was read before; where memory is short it stays as it is.
        guard let made = script.track(library) else { return }
        ass_free_track(track)
        track = made
    }
}
