import Testing
import Vocabulary

@Suite("A table with aligned columns")
struct TextTableTests {
    @Test("Numbers, amounts and sizes are aligned to the right; ids, dates and names are not")
    func alignment() {
        let table = TextTable(
            ["id", "state", "size", "seconds", "done"],
            [
                ["019f1c5e-0d7b-7c3a-9f57-3a1c2b4d5e6f", "done", "1920x1080", "4.2 s", "100 %"],
                ["2", "3 left", "64x64", "-", "7 %"],
            ])
        #expect(
            table.lines == [
                "id                                    state        size  seconds   done",
                "019f1c5e-0d7b-7c3a-9f57-3a1c2b4d5e6f  done    1920x1080    4.2 s  100 %",
                "2                                     3 left      64x64        -    7 %",
            ])
    }
}
