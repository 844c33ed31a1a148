import FarmAPI
import Testing
import FoundationEssentials

@Suite("The ids of exports")
struct OrderedIDTests {
    @Test("An id begins with the time in milliseconds, and is a UUID of version 7 and variant 10")
    func time() throws {
        let before = UInt64(Date().timeIntervalSince1970 * 1000)
        let text = ExportID().text
        let after = UInt64(Date().timeIntervalSince1970 * 1000)
        let digits = text.filter { $0 != "-" }
        let milliseconds = try #require(UInt64(digits.prefix(12), radix: 16))
        #expect((before...after).contains(milliseconds))
        let characters = Array(text)
        #expect(characters[14] == "7" && "89ab".contains(characters[19]))
        #expect(ExportID(text)?.text == text)
    }

    @Test("Ids differ, also those of the same millisecond, and all their random bits do")
    func differ() throws {
        let ids = (0..<1000).map { _ in ExportID().text.filter { $0 != "-" } }
        #expect(Set(ids).count == ids.count)
        // Behind the time: four bits of version, 12 random ones, two of variant, 62 random ones.
        let tails = try ids.map { id in try #require(UInt64(id.suffix(16), radix: 16)) }
        let all = tails.reduce(0, |), common = tails.reduce(UInt64.max, &)
        #expect(all == 0xBFFF_FFFF_FFFF_FFFF && common == 0x8000_0000_0000_0000)
    }
}
