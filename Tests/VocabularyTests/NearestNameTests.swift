import Testing
import Vocabulary

@Suite("Nearest names")
struct NearestNameTests {
    private let settings = ["audioBitrate", "codec", "fileType", "videoBitrate", "videoQuality", "videoQualityLimit"]

    @Test("A misspelt name is known by its letters, and a shortened one by its beginning or its end")
    func names() {
        #expect(nearestName(to: "filetyp", among: settings) == "fileType")
        #expect(nearestName(to: "quality", among: settings) == "videoQuality")
        #expect(nearestName(to: "video", among: settings) == "videoBitrate")
        #expect(nearestName(to: "fps", among: settings) == nil)
        #expect(nearestName(to: "type", among: settings) == "fileType")
        #expect(nearestName(to: "ulr", among: ["id", "url", "speed"]) == "url")
        #expect(nearestName(to: "xyz", among: ["id", "url", "speed"]) == nil)
        #expect(nearestName(to: String(repeating: "x", count: 65), among: settings) == nil)
    }
}
