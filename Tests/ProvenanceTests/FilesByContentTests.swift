import ContentHashing
import FoundationEssentials
import Provenance
import TestSupport
import Testing

@Suite("A file that is searched by its content")
struct FilesByContentTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for folder in ["media", "media/old"] {
            try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        }
        try write("beach", to: "media/a.mp4")
        try write("shore", to: "media/old/beach.mp4")
        try write("a longer one", to: "card.png")
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file(name)))
    }

    /// The files that are found for each text, with the name that is given for it.
    private func search(_ texts: [(text: String, name: String?)], in folder: String) -> [String?] {
        var files = FilesByContent(in: folder)
        return texts.map { text, name in
            files.path(sha256: ContentHash.of(text.utf8), byteCount: text.utf8.count, name: name)
        }
    }

    @Test("is found in the folder and in those in it, whatever its name is")
    func found() {
        let paths = search([("a longer one", nil), ("beach", "beach.mp4"), ("shore", nil)], in: directory.path)
        #expect(paths.compactMap(\.self) == ["card.png", "media/a.mp4", "media/old/beach.mp4"].map { directory.file($0) })
    }

    @Test("is not found where another file has its size or its name, and where there is no folder")
    func missing() {
        let others = search([("coast", "a.mp4"), ("beach and more", "a.mp4")], in: directory.path)
        #expect(others.compactMap(\.self).isEmpty)
        #expect(search([("beach", nil)], in: directory.file("none")).compactMap(\.self).isEmpty)
    }

    @Test("is found behind a link, and links to folders do not lead in a circle")
    func links() throws {
        let outside = try TemporaryDirectory()
        try Data("elsewhere".utf8).write(to: URL(fileURLWithPath: outside.file("file")))
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("media/link"), withDestinationPath: outside.file("file"))
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("media/old/circle"), withDestinationPath: directory.path)
        let paths = search([("elsewhere", nil)], in: directory.path)
        #expect(paths.compactMap(\.self) == [directory.file("media/link")])
    }
}
