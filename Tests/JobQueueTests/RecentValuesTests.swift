import JobQueue
import Testing

@Suite("Values that are kept within bounds")
struct RecentValuesTests {
    private func values(_ count: Int, _ byteCount: Int) -> RecentValues<String, Int> {
        RecentValues(CacheLimits(count: count, byteCount: byteCount))
    }

    private func kept(_ values: inout RecentValues<String, Int>, _ keys: [String]) -> [Int?] {
        var kept: [Int?] = []
        for key in keys { kept.append(values.value(of: key)) }
        return kept
    }

    @Test("are found under their keys, and replaced where the key is the same")
    func found() {
        var values = values(10, 100)
        values.add(1, as: "a", byteCount: 10)
        values.add(2, as: "b", byteCount: 20)
        #expect(kept(&values, ["a", "b", "c"]) == [1, 2, nil])
        values.add(3, as: "a", byteCount: 5)
        #expect(kept(&values, ["a", "b"]) == [3, 2])
        #expect(values.count == 2 && values.byteCount == 25)
    }

    @Test("are forgotten in the order of their last use where there are too many")
    func count() {
        var values = values(3, 1000)
        for (number, key) in ["a", "b", "c"].enumerated() { values.add(number, as: key, byteCount: 1) }
        #expect(kept(&values, ["a"]) == [0])
        values.add(3, as: "d", byteCount: 1)
        #expect(kept(&values, ["a", "b", "c", "d"]) == [0, nil, 2, 3])
    }

    @Test("are forgotten where they have too many bytes, and not kept where one alone has")
    func bytes() {
        var values = values(1000, 100)
        values.add(1, as: "a", byteCount: 60)
        values.add(2, as: "b", byteCount: 30)
        values.add(3, as: "c", byteCount: 30)
        #expect(kept(&values, ["a", "b", "c"]) == [nil, 2, 3])
        values.add(4, as: "d", byteCount: 100)
        #expect(kept(&values, ["b", "c", "d"]) == [nil, nil, 4], "the last is kept where it fits")
        values.add(5, as: "e", byteCount: 101)
        #expect(kept(&values, ["d", "e"]) == [4, nil])
        values.add(6, as: "d", byteCount: 101)
        #expect(kept(&values, ["d"]) == [nil], "the earlier value is not kept either")
        #expect(values.count == 0 && values.byteCount == 0)
    }

    @Test("never exceed their bounds, and one that is used all the time stays")
    func bounds() {
        var values = values(20, 500)
        values.add(-1, as: "used", byteCount: 10)
        for number in 0..<1000 {
            values.add(number, as: "\(number)", byteCount: number % 80)
            #expect(values.count <= 20 && values.byteCount <= 500)
            #expect(kept(&values, ["\(number)", "used"]) == [number, -1])
        }
    }
}
