import CAss
import ExportPlan
import Glibc

/// A caption file as libass gets it: a script as it is, or a header and events.
struct AssScript {
    private let text: String
    private let events: [CaptionScript.Event]
    private let isCues: Bool
    private let emoji: CaptionEmoji

    /// - Throws: `TextRenderingError` when the font of the style is not installed.
    init(
        _ file: CaptionFile, _ content: CaptionContent, _ fonts: FontLibrary, _ emoji: CaptionEmoji
    ) throws(TextRenderingError) {
        self.emoji = emoji
        switch file.body {
        case .script(let script):
            text = script
            events = []
            isCues = false
        case .cues(let cues):
            guard let look = content.look else {
                throw TextRenderingError(.invalidFont, subject: "captions", message: "have no style, and their file has none")
            }
            let font = try ChosenFont(look.font, in: fonts)
            let script = CaptionScript(cues, look, font, size: content.layoutSize)
            text = script.header
            events = script.events
            isCues = true
        }
    }

    /// Whether nothing is ever seen, because a file of cues contains no cue.
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

/// libass's library, renderer and track, which are freed with this object.
final class AssHandles {
    private let library: OpaquePointer
    private let choices: UnsafeMutablePointer<spool_ass_choices>
    let renderer: OpaquePointer
    private(set) var track: UnsafeMutablePointer<ASS_Track>
    /// The greatest number of cached glyphs, and of megabytes of cached bitmaps.
    private static let cacheLimits: (glyphs: Int32, megabytes: Int32) = (10_000, 64)

    /// - Parameters:
    ///   - frame: the size of the drawn frame, in pixels.
    ///   - layout: the size of the layout in pixels, which libass takes for blurs and for rotations in space.
    ///   - fonts: the fonts to draw with.
    /// - Throws: `CaptionError` `outOfMemory`, or `missingFont` for a font file that can no longer be read.
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

    /// The files that libass has chosen to draw with since the last call; the draft's own fonts are given by name.
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
            throw CaptionError(
                .malformed, subject: subject, message: "cannot be read by libass; add the section [V4+ Styles]")
        }
        ass_free_track(track)
        track = made
    }

    /// Reads the script again, so that libass forgets what it has drawn.
    func forget(_ script: AssScript) {
        // The script was read before; when memory is short, the old track stays.
        guard let made = script.track(library) else { return }
        ass_free_track(track)
        track = made
    }
}
