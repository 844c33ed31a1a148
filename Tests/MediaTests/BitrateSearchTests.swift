import Media
import Testing
import Glibc

@Suite("Bitrate search")
struct BitrateSearchTests {
    @Test(
        "Six steps reach 2 % with encoders that produce too little, too much or disproportionately much",
        arguments: [0.5, 0.8, 1, 1.3, 2.2], [0.6, 0.9, 1, 1.2, 1.7])
    func converges(_ factor: Double, _ power: Double) {
        var search = BitrateSearch(target: 5e5, within: 1e3...1e9)
        var steps = 0
        while search.error > 0.02, steps < 6 {
            _ = search.took(5e5 * factor * pow(search.next / 5e5, power))
            steps += 1
        }
        #expect(search.error <= 0.02, "after \(steps) steps")
    }

    @Test("The search ends if the result no longer changes with the request, or a limit is reached")
    func limits() {
        var search = BitrateSearch(target: 1e6, within: 1e3...1e8)
        for _ in 0..<2 { _ = search.took(5e3) }
        #expect(search.isOver && search.next == 1.6e7)
        var limited = BitrateSearch(target: 500, within: 2e3...1e8)
        #expect(limited.next == 2e3)
        _ = limited.took(4e4)
        #expect(limited.isOver)
    }

    @Test("With a ceiling, a result above it counts only until there is one below, however close it is")
    func ceiling() {
        var search = BitrateSearch(target: 98, within: 1...1e4, ceiling: 100)
        let results = [101, 80, 100.5, 99.9].map { (search.took($0), search.error) }
        #expect(results.map(\.0) == [true, true, false, true])
        #expect(results[0].1 > 1 && results[1].1 < 0.2 && results[3].1 < 0.02)
    }

    @Test("A closer result is recognised, and a worse one does not change the error")
    func closest() {
        var search = BitrateSearch(target: 100, within: 1...1e4)
        let answers = [90.0, 150, 97].map { taken in (search.next, search.took(taken)) }
        #expect(answers.map(\.1) == [true, false, true])
        #expect(answers[0].0 == 100 && abs(answers[1].0 - 100 / 0.9) < 1e-9)
        #expect(answers[2].0 > 100 && answers[2].0 < 100 / 0.9)
        #expect(abs(search.error - 0.03) < 1e-9)
    }
}
