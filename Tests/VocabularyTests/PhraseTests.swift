import Testing
import Vocabulary

@Suite("Durations, amounts and numbers as texts")
struct PhraseTests {
    @Test(
        "Durations",
        arguments: [
            (0, "0 s"), (-3, "0 s"), (0.04, "0.0 s"), (4.24, "4.2 s"), (9.99, "10.0 s"), (35.7, "35 s"), (119, "119 s"),
            (120, "2 min"),
            (7199, "119 min"), (7200, "2 h"), (12_000, "3 h 20 min"), (172_800, "2 d"), (.infinity, "0 s"), (.nan, "0 s"),
        ] as [(Double, String)])
    func seconds(_ seconds: Double, _ text: String) { #expect(Phrase.seconds(seconds) == text) }

    @Test(
        "Amounts of data",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (999_999, "999 kB"), (1_250_000, "1.2 MB"), (3_400_000_000, "3.4 GB"),
            (.max, "9223372036.8 GB"),
        ] as [(Int64, String)])
    func bytes(_ bytes: Int64, _ text: String) { #expect(Phrase.bytes(bytes) == text) }

    @Test("Numbers", arguments: [(8, "8"), (1.25, "1.25"), (1.239, "1.24"), (-2.5, "-2.5"), (0, "0")] as [(Double, String)])
    func numbers(_ number: Double, _ text: String) { #expect(Phrase.number(number) == text) }
}
