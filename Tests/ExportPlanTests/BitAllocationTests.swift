import ContentHashing
import ExportPlan
import Testing
import FoundationEssentials
import Glibc

/// Tests that a film's bits are allocated so that all segments have the same quality.
@Suite("BitAllocation")
struct BitAllocationTests {
    private func key(_ name: String) -> ArtifactKey { ArtifactKey(ContentHash.of(Data(name.utf8))) }

    private func allocation(_ total: Double, _ costs: [(String, PictureCost)]) -> (sum: Double, bits: [String: Double]) {
        let allocation = BitAllocation(total: total, costs.map { (key: key($0.0), cost: $0.1) })
        let bits = Dictionary(
            costs.map { ($0.0, allocation.bits[key($0.0).text] ?? .nan) }, uniquingKeysWith: { first, _ in first })
        return (costs.reduce(0) { $0 + (bits[$1.0] ?? .nan) }, bits)
    }

    @Test("All bits are allocated, whatever the segments cost", arguments: [1e3, 2.5e5, 1e6, 1e9])
    func total(_ total: Double) {
        let found = allocation(
            total,
            [
                ("busy", PictureCost(texture: 9e5, motion: 2e5, other: 1e4)), ("calm", PictureCost(texture: 1e4, other: 2e3)),
                ("busy", PictureCost(texture: 9e5, motion: 2e5, other: 1e4)), ("black", PictureCost(texture: 0, other: 500)),
            ])
        #expect(abs(found.sum / total - 1) < 1e-9)
    }

    @Test("Each segment gets what one quantiser costs in it, by libx264's formula")
    func formula() throws {
        let costs = [
            ("a", PictureCost(texture: 8e5, motion: 1e5, other: 1e4)), ("b", PictureCost(texture: 1e5, motion: 3e5, other: 5e3)),
        ]
        let found = allocation(4e5, costs)
        // Searches in small steps for the scale at which both segments together cost the total.
        var scale = 1.0
        func cost(_ of: PictureCost) -> Double { of.texture / exp(1.1 * log(scale)) + of.motion / scale.squareRoot() + of.other }
        while cost(costs[0].1) + cost(costs[1].1) > 4e5 { scale += 1e-5 }
        for (name, of) in costs { #expect(abs(try #require(found.bits[name]) / cost(of) - 1) < 1e-4) }
    }

    @Test("At the measured quality each segment gets the bits that it was measured with")
    func measured() {
        let found = allocation(3e5, [("a", PictureCost(texture: 2e5)), ("b", PictureCost(texture: 5e4, other: 5e4))])
        #expect(abs((found.bits["a"] ?? 0) - 2e5) < 1 && abs((found.bits["b"] ?? 0) - 1e5) < 1)
    }
}
