import ExportPlan
import Testing
import Vocabulary

@Suite("A contact sheet")
struct ContactSheetTests {
    private func complaint(_ width: Int, _ height: Int, as type: PictureFileType) -> String? {
        ContactSheet(frames: [], frameSize: FrameSize(width: width, height: height)).complaint(as: type)
    }

    @Test("may have as many pixels as fit into memory, and sides as long as its file type allows")
    func allowed() {
        #expect(complaint(16_384, 16_384, as: .png) == nil)
        #expect(complaint(65_500, 100, as: .jpeg) == nil)
        #expect(complaint(16_383, 16_383, as: .webp) == nil)
    }

    @Test("is refused with the limit and its own size where it is larger")
    func refused() {
        #expect(
            complaint(16_384, 16_385, as: .png)
                == "a picture has at most 268435456 pixels, and this one would have 16384x16385; ask for a smaller one")
        #expect(
            complaint(65_501, 100, as: .jpeg)
                == "a jpeg picture has sides of at most 65500 pixels, and this one would have 65501x100; ask for a smaller one")
    }
}
