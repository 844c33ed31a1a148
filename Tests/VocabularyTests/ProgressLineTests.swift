import Vocabulary
import Testing

@Suite("A progress line")
struct ProgressLineTests {
    private static let line = ProgressLine(
        fraction: 0.6,
        parts: [
            .init("60 %", importance: 4), .init("540/900 frames", importance: 2), .init("45.1 fps", importance: 1),
            .init("0:08 left", importance: 3),
        ])

    @Test("A progress line stays off the last column at every width", arguments: 2...200)
    func fits(columns: Int) {
        #expect(ProgressLineTests.line.text(columns: columns).count < columns)
    }

    @Test("A progress line shortens its bar first, then drops it, then its parts of least importance")
    func order() {
        let line = ProgressLineTests.line
        #expect(
            line.text(columns: 200) == "[##################............] 60 %  540/900 frames  45.1 fps  0:08 left")
        #expect(line.text(columns: 60) == "[#########......] 60 %  540/900 frames  45.1 fps  0:08 left")
        #expect(line.text(columns: 49) == "60 %  540/900 frames  45.1 fps  0:08 left")
        #expect(line.text(columns: 40) == "[###..] 60 %  540/900 frames  0:08 left")
        #expect(line.text(columns: 20) == "60 %  0:08 left")
        #expect(line.text(columns: 4) == "60 ")
    }

    @Test("A progress line without a fraction has no bar")
    func noBar() {
        #expect(ProgressLine(fraction: nil, parts: [.init("probing", importance: 1)]).text(columns: 80) == "probing")
    }
}
