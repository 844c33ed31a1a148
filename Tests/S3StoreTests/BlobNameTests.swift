import ArtifactStore
import Testing

@Suite("The name of a blob")
struct BlobNameTests {
    @Test("Paths without tricks are names", arguments: ["a", "a/b", "..a", "a..", "...", "ü/&+% ", "a/.hidden"])
    func names(_ text: String) { #expect(BlobName(text)?.text == text) }

    @Test(
        "Nothing else is",
        arguments: [
            "", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "a/./b", "a\u{0}b", "a\nb", "\u{7F}", ".spool-uploads/x",
            "a/.spool-store",
            String(repeating: "a", count: 241), String(repeating: "a/", count: 401) + "a",
        ])
    func tricks(_ text: String) { #expect(BlobName(text) == nil) }
}
