import DraftModel
import TestSupport
import FoundationEssentials

/// Drafts as JSON text, for tests of single fields.
enum DraftText {
    /// A draft with one clip and the given fields, such as `"title": "x"`.
    static func with(_ fields: String) -> String {
        draft(clips: #"{"type": "av", "url": "a.mp4"}"#, fields)
    }

    /// A draft whose only clip has type `av` and the given fields.
    static func withClip(_ fields: String) -> String {
        draft(clips: #"{"type": "av", "url": "a.mp4", \#(fields)}"#)
    }

    /// A draft whose only clip has type `av` and the given fields, of which `url` is one.
    static func onlyClip(_ fields: String) -> String {
        draft(clips: #"{"type": "av", \#(fields)}"#)
    }

    /// A draft whose only clip has type `image` and the given fields.
    static func withImage(_ fields: String) -> String {
        draft(clips: #"{"type": "image", "url": "a.png", \#(fields)}"#)
    }

    /// A draft with two clips, joined by a transition with the given fields.
    static func withTransition(_ fields: String) -> String {
        draft(clips: #"{"type": "av", "url": "a.mp4"}, {"type": "av", "url": "b.mp4", "transition": {\#(fields)}}"#)
    }

    /// A draft with one audio clip with the given fields.
    static func withAudioClip(_ fields: String) -> String {
        with(#""audioClips": [{"url": "m.m4a", \#(fields)}]"#)
    }

    private static func draft(clips: String, _ fields: String = "") -> String {
        #"{"version": 1, "mainTrackClips": [\#(clips)]\#(fields.isEmpty ? "" : ", " + fields)}"#
    }
}

extension Draft {
    static func read(_ text: String, parameters: [String: String] = [:]) -> (draft: Draft?, diagnostics: [DraftDiagnostic]) {
        read(Data(text.utf8), parameters: parameters)
    }

    static func faults(in text: String, parameters: [String: String] = [:]) -> [Fault] {
        read(text, parameters: parameters).diagnostics.map { Fault($0.path, $0.code) }
    }
}
