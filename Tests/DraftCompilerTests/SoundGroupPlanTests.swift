import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Plans with the sound of groups")
struct SoundGroupPlanTests {
    private let facts: [String: SourceFacts] = [
        "a": .film("a", seconds: Rational(90)), "silent": .film("silent", hasSound: false),
    ]

    private func sample(_ layers: String, _ more: String = "") throws -> SampleDraft {
        try SampleDraft(
            json:
                #"{"version": 1, "videoSize": {"width": 64, "height": 36}, "frameRate": 25, "mainTrackClips": [{"type": "color", "duration": 30}, {"type": "color", "duration": 30}], "layers": [\#(layers)]\#(more)}"#,
            facts: facts)
    }

    private static func video(_ url: String = "a", from: Int = 0, _ more: String = "") -> String {
        #"{"timeRange": {"start": \#(from), "duration": 20}, "source": {"type": "video", "url": "\#(url)"}\#(more)}"#
    }

    private static func group(_ inner: String, _ more: String = "") -> String {
        #"{"timeRange": {"start": 4, "duration": 40}, "source": {"type": "group", "layers": [\#(inner)]}\#(more)}"#
    }

    private static let gate = #", "audioFilters": [{"type": "gate"}]"#

    @Test("A group that changes nothing is in no plan, so the keys of its segments stay as they were")
    func plain() throws {
        let bare = try sample(Self.group(Self.video())).compile()
        let neutral = try sample(Self.group(Self.video(), #", "audio": {"volume": 1, "pan": 0, "muted": false}"#)).compile()
        #expect(bare.composition.soundGroups == nil && bare.plan.audioSegments.allSatisfy { $0.slice.groups == nil })
        #expect(neutral.plan.audioSegments == bare.plan.audioSegments)
    }

    @Test("A group with filters stays in one segment, with everything in it; any other group is cut")
    func whole() throws {
        let filtered = try sample(Self.group(Self.video() + "," + Self.video(from: 19), Self.gate)).plan().audioSegments
        let changed = filtered.filter { $0.slice.groups != nil }
        #expect(changed.count == 1)
        let segment = try #require(changed.first)
        let group = try #require(segment.slice.groups?.first)
        #expect(group.firstSample + segment.firstSample == 4 * 44_100 && group.sampleCount == 40 * 44_100)
        #expect(group.inputs.map(\.sampleCount) == [20 * 44_100, 20 * 44_100])
        #expect(segment.slice.inputs.isEmpty && segment.slice.sources.count == 1)
        let cut = try sample(Self.group(Self.video(), #", "audio": {"volume": 0.5}"#)).plan().audioSegments
        #expect(cut.filter { $0.slice.groups != nil }.count > 1 && cut.count > filtered.count)
    }

    @Test("A group inside of a group with filters is whole, and knows its gains from the beginning")
    func nested() throws {
        let ramp =
            #", "audio": {"volumeRamps": [{"timeRange": {"start": 1, "duration": 2}, "startVolume": 0, "endVolume": 0.5}]}"#
        let inner = Self.group(Self.video("a"), ramp)
        let segments = try sample(Self.group(inner, Self.gate), #", "timeRange": {"start": 20, "duration": 10}"#).plan()
            .audioSegments
        let outer = try #require(segments.first?.slice.groups?.first)
        #expect(outer.firstSample == -16 * 44_100 && outer.filters?.map(\.kind) == [.gate] && outer.gains.isEmpty)
        let found = try #require(outer.groups?.first)
        #expect(found.firstSample == -12 * 44_100 && found.sampleCount == 36 * 44_100)
        #expect(found.gains.first?.points.map(\.gain) == [1, 0, 0.5])
        #expect(found.inputs.map(\.firstSample) == [-12 * 44_100])
    }

    @Test("A group whose sounds are over still rings in a film that begins later")
    func ringing() throws {
        let segments = try sample(Self.group(Self.video(), Self.gate), #", "timeRange": {"start": 30, "duration": 5}"#).plan()
            .audioSegments
        #expect(segments.first?.slice.groups?.first?.inputs.map(\.firstSample) == [-26 * 44_100])
        let plain = try sample(Self.group(Self.video()), #", "timeRange": {"start": 30, "duration": 5}"#).plan().audioSegments
        #expect(plain.first?.slice.groups == nil && plain.first?.slice.inputs.isEmpty == true)
    }

    @Test("Groups without sounds are left out, and the others are numbered in their order")
    func numbers() throws {
        let half = #", "audio": {"volume": 0.5}"#
        let layers = Self.group(Self.group("", half), Self.gate) + "," + Self.group(Self.group(Self.video(), half), half)
        let composition = try sample(layers).compose()
        #expect(composition.soundGroups?.map(\.parent) == [nil, 0] && composition.audioInputs.map(\.group) == [1])
    }

    @Test("Sounds in different groups are not time-stretched as one, and their parts of a run stay together")
    func stretched() throws {
        func part(_ start: Int, _ group: String) -> String {
            #"{"timeRange": {"start": 0, "duration": 20}, "source": {"type": "group", "layers": [{"timeRange": {"start": \#(start), "duration": 4}, "audio": {"pitch": 2}, "source": {"type": "video", "url": "a", "timeRange": {"start": \#(start), "duration": 4}}}]}\#(group)}"#
        }
        let half = #", "audio": {"volume": 0.5}"#
        let joined = try sample(part(0, "") + "," + part(4, "")).compose().audioInputs
        #expect(joined.allSatisfy { $0.run != nil } && joined.count == 2)
        let apart = try sample(part(0, "") + "," + part(4, half)).compose().audioInputs
        #expect(apart.allSatisfy { $0.run == nil } && apart.count == 2)
    }

    @Test("Sound fields of a silent group, and of anything in a mask, are warnings")
    func warnings() throws {
        let silent = Self.group(Self.video("silent"), #", "audio": {"pan": 0.5}"# + Self.gate)
        let mask = Self.group(Self.video("a", from: 0, #", "audio": {"volume": 0.5}"#), Self.gate)
        let masked =
            ##"{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#FFFFFF"}, "mask": {"source": {"type": "group", "layers": [\##(mask)]}}}"##
        let quiet = Self.group(Self.video("silent"), #", "audio": {"muted": true}"#)
        #expect(
            try sample(silent + "," + masked + "," + quiet).compiler.compile(sample(silent + "," + masked + "," + quiet).draft)
                .warnings.map { Fault($0.path, $0.code) } == [
                    Fault("layers[1].mask.source.layers[0].audioFilters", .noEffect),
                    Fault("layers[1].mask.source.layers[0].source.layers[0].audio", .noEffect),
                    Fault("layers[0].audio", .noEffect), Fault("layers[0].audioFilters", .noEffect),
                ])
    }
}
