import ExportPlan
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

@Suite("A cost model")
struct CostModelTests {
    private func probe(_ seconds: Double) throws -> JobMeasurement {
        try #require(JobMeasurement(.probe(path: "/media/a.mp4"), seconds: seconds))
    }

    private func allocation(_ measures: Int, _ seconds: Double) throws -> JobMeasurement {
        let keys = (0..<measures).map { ArtifactKey("\($0)") }
        let plan = AllocationPlan(key: ArtifactKey("bits"), bits: 1, measures: keys)
        return try #require(JobMeasurement(.allocation(plan: plan), seconds: seconds))
    }

    @Test("Every class has a name of its own, built-in coefficients, and features that begin with the start")
    func classes() throws {
        #expect(Set(CostClass.all.map(\.name)).count == CostClass.all.count)
        #expect(CostClass.all.count == JobKind.allCases.count - 2 + 2 * VideoCodec.allCases.count)
        for costClass in CostClass.all {
            #expect(CostClass(name: costClass.name) == costClass)
            let coefficients = CostTable.builtIn.coefficients(of: costClass)
            #expect(coefficients.count == costClass.kind.features.count && coefficients.allSatisfy { $0 > 0 && $0 < 10 })
            #expect(costClass.kind.features.first == .start)
            #expect(Set(costClass.kind.features).count == costClass.kind.features.count)
        }
        #expect(CostClass(.video) == nil && CostClass(.stitch, codec: .h264)?.name == "stitch")
        #expect(CostClass(name: "video") == nil && CostClass(name: "") == nil)
    }

    @Test("A model that has learned nothing predicts as the built-in one does")
    func nothing() throws {
        #expect(CostModel().table == .builtIn && CostModel().jobs == 0)
        let features = try allocation(10, 1).features
        // A start of 0.2 s and 10 parts of 0.01 s.
        #expect(abs(CostTable.builtIn.seconds(of: features) - 0.3) < 1e-9)
    }

    @Test("A model predicts what it was taught, of that class alone")
    func learned() throws {
        var model = CostModel()
        for _ in 0..<50 { model.learn(try probe(1)) }
        let seconds = model.table.seconds(of: try probe(1).features)
        #expect(seconds > 0.9 && seconds < 1.05, "\(seconds)")
        let other = try allocation(10, 1).features
        #expect(model.table.seconds(of: other) == CostTable.builtIn.seconds(of: other))
        #expect(model.jobs == 50 && model.fits.count == 1)
    }

    @Test("The costs of a start and of a part are told apart by jobs of different sizes")
    func separated() throws {
        var model = CostModel()
        var numbers = RandomNumbers(seed: 3)
        for _ in 0..<300 {
            let parts = Int.random(in: 0...200, using: &numbers)
            model.learn(try allocation(parts, 1 + 0.02 * Double(parts)))
        }
        for parts in [5, 50, 150] {
            let seconds = model.table.seconds(of: try allocation(parts, 1).features)
            let exact = 1 + 0.02 * Double(parts)
            #expect(seconds > exact * 0.7 && seconds < exact * 1.3, "\(parts): \(seconds) for \(exact)")
        }
    }

    @Test("No prediction is further from the built-in one than a factor of 50", arguments: [1e-9, JobMeasurement.longest])
    func bounds(_ seconds: Double) throws {
        var model = CostModel()
        for _ in 0..<500 { model.learn(try probe(seconds)) }
        let ratio = model.table.seconds(of: try probe(1).features) / CostTable.builtIn.seconds(of: try probe(1).features)
        #expect(ratio > 0.0199 && ratio < 50.01, "\(ratio)")
    }

    @Test("An average counts models by their weights, and leaves those out that know nothing of a class")
    func average() throws {
        var (slow, fast) = (CostModel(), CostModel())
        for _ in 0..<200 {
            slow.learn(try probe(2))
            fast.learn(try probe(0.5))
        }
        for _ in 0..<20 { fast.learn(try allocation(10, 3)) }
        let features = try probe(1).features
        let (most, least) = (slow.table.seconds(of: features), fast.table.seconds(of: features))
        func mean(_ weights: [Double], _ features: JobFeatures) -> Double {
            CostTable(averaging: [slow, fast, CostModel()]) { index, _ in weights[index] }.seconds(of: features)
        }
        #expect(abs(mean([1, 0, 9], features) - most) < 1e-9 && abs(mean([0, 1, 9], features) - least) < 1e-9)
        #expect(abs(mean([3, 1, 0], features) - (most * 3 + least) / 4) < 1e-9)
        // No weights at all: by the jobs, of which both have two hundred.
        #expect(abs(mean([0, 0, 0], features) - (most + least) / 2) < 1e-9)
        let other = try allocation(10, 1).features
        #expect(abs(mean([1, 0, 0], other) - fast.table.seconds(of: other)) < 1e-9)
    }

    @Test("A stored model predicts the same; one with a fit that is not of its class is refused")
    func stored() throws {
        var model = CostModel()
        for parts in 1...20 {
            model.learn(try allocation(parts, 0.5))
            model.learn(try probe(1))
        }
        let json = String(decoding: try JSONEncoder().encode(model), as: UTF8.self)
        let copy = try JSONDecoder().decode(CostModel.self, from: Data(json.utf8))
        let features = try allocation(7, 1).features
        #expect(copy.jobs == 40)
        #expect(abs(copy.table.seconds(of: features) - model.table.seconds(of: features)) < 1e-6)
        for wrong in [json.replacing("\"probe\"", with: "\"audio\""), json.replacing("\"probe\"", with: "\"nonesuch\"")] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(CostModel.self, from: Data(wrong.utf8)) }
        }
        var other = CostModel()
        let audio = try #require(CostClass(.audio))
        let fit = try #require(model.fits.first { $0.key.kind == .probe }?.value)
        #expect(!other.adopt(fit, for: audio) && other == CostModel())
    }
}
