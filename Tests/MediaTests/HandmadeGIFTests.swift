import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// GIFs whose frames are regions of the canvas, with every sequence of disposals.
@Suite struct HandmadeGIFTests {
    @Test("GIFs with partial frames and all disposals look as in browsers", arguments: (1...30).map { UInt64($0) })
    func disposals(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        let picture = HandmadeGIF.random(seed: &random)
        let directory = try TemporaryDirectory()
        let path = directory.file("parts.gif")
        try Data(picture.bytes).write(to: URL(fileURLWithPath: path))
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        #expect(video.frameCount == picture.frames.count && video.frameRate == FrameRate(10))
        let reader = try FrameReader(SourceReference(facts: facts, path: path))
        let wanted = picture.shown
        var wrong: [Int] = []
        for index in Array(wanted.indices) + wanted.indices.shuffled(using: &random) {
            let frame = try reader.frame(at: FrameRate(10).time(ofFrame: index))
            if try PillowFrames.seen(frame, video) != wanted[index] { wrong.append(index) }
        }
        #expect(wrong == [])
    }
}
