/// Another program whose documents are taken for drafts.
struct OtherProgram {
    private let name: String
    /// Members of the document that together tell it from a draft.
    private let members: [String]

    private static let all = [
        OtherProgram(name: "Shotstack", members: ["timeline", "output"]),
        OtherProgram(name: "Editly", members: ["clips", "outPath"]),
        OtherProgram(name: "OpenTimelineIO", members: ["OTIO_SCHEMA"]),
        OtherProgram(name: "Creatomate", members: ["output_format", "elements"]),
        OtherProgram(name: "JSON2Video", members: ["scenes"]),
    ]

    /// Whether a document without the members of a draft is one of these programs', which is then reported.
    static func owns(_ document: ObjectReader) -> Bool {
        guard !["version", "mainTrackClips"].contains(where: document.has),
            let program = all.first(where: { $0.members.allSatisfy(document.has) })
        else { return false }
        document.reportObject(
            .wrongType,
            "this is a document of \(program.name) and no draft; docs/guide/coming-from.md shows how a draft says the same")
        return true
    }
}
