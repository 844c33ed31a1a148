import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Soundtracks that several jobs encode.
@Suite("Parts of a soundtrack")
struct SoundtrackPartTests {
    private let facts = [
        "a": SourceFacts.film("a", seconds: Rational(4000)), "b": SourceFacts.film("b", seconds: Rational(4000)),
    ]
    /// The samples of a packet of AAC.
    private let packet = 1024

    private func sample(_ seconds: Int, rate: Int = 48_000) -> SampleDraft {
        var sample = SampleDraft([.film("a", lasting: Rational(seconds))], facts: facts)
        sample.settings.sampleRate = rate
        return sample
    }

    @Test(
        "The parts have every packet once, and read what is before and behind them",
        arguments: [50, 100, 200, 600, 3601], [44_100, 48_000, 96_000])
    func complete(seconds: Int, rate: Int) throws {
        let plan = try sample(seconds, rate: rate).plan()
        let soundtrack = try #require(plan.soundtrack)
        let parts = try #require(soundtrack.parts)
        #expect(soundtrack.key == parts[0].key && soundtrack.artifacts == parts.map(\.key))
        #expect(plan.stitch.soundContinuations?.first?.map(\.key) == parts.dropFirst().map(\.key))
        var nextPacket = 0
        for (number, part) in parts.enumerated() {
            #expect(part.firstSample == (nextPacket - 1) * packet)
            let first = plan.audioSegments[part.segments.lowerBound].firstSample + part.skippedSamples
            #expect(first == (nextPacket - part.preRoll) * packet)
            let segments = plan.audioSegments[part.segments]
            let end = try #require(segments.last.map { $0.firstSample + $0.slice.sampleCount })
            #expect(first + part.sampleCount <= end)
            #expect(part.skippedSamples < segments[segments.startIndex].slice.sampleCount)
            #expect(number == 0 ? part.preRoll == 0 : part.preRoll >= 16)
            if let count = part.packetCount {
                nextPacket += count
                #expect(first + part.sampleCount >= nextPacket * packet + 2 * packet)
                #expect((25.0...35.0).contains(Double(count * packet) / Double(rate)))
            } else {
                #expect(number == parts.count - 1 && first + part.sampleCount == soundtrack.sampleCount)
                #expect((12.0...48.0).contains(Double(soundtrack.sampleCount - nextPacket * packet) / Double(rate)))
            }
        }
        #expect(parts.last?.packetCount == nil)
        let jobs = plan.jobs.filter { $0.kind == .soundtrack }
        #expect(jobs.map(\.key) == parts.map(\.key))
        #expect(plan.jobCount == plan.jobs.count)
        // A job has what it needs to know, and not the other parts.
        for (job, part) in zip(jobs, parts) {
            #expect(job.work.artifacts == plan.audioSegments[part.segments].map(\.key))
            guard case .soundtrack(let own, _, let shown) = job.work else { continue }
            #expect(own.parts == nil && own.sampleCount == part.sampleCount && shown == part)
        }
    }

    @Test("A short soundtrack, one that is mastered and one of another codec are encoded whole")
    func whole() throws {
        #expect(try sample(40).plan().soundtrack?.parts == nil)
        #expect(try sample(40).plan().stitch.soundContinuations == nil)
        var mastered = sample(600)
        mastered.draft.audio = DraftAudio(loudness: -16)
        #expect(try mastered.plan().soundtrack?.parts == nil)
        for type in FileType.allCases where type.format.content == .film && type.format.audioCodec?.format.packetLength == nil {
            var other = sample(600)
            other.settings.fileType = type
            #expect(try other.plan().soundtrack?.parts == nil, "\(type)")
        }
    }

    @Test("What follows changes no part before it, and only the sounds of the parts that are encoded anew are needed")
    func reused() throws {
        func plan(_ last: Int) throws -> RenderPlan {
            let clips = (0..<40).map { MainTrackClip.film("a", from: Rational($0 * 11), lasting: Rational(10)) }
            return try SampleDraft(clips + [.film("b", lasting: Rational(last))], facts: facts).plan()
        }
        let (before, after) = (try plan(30), try plan(31))
        let parts = (try #require(before.soundtrack?.parts), try #require(after.soundtrack?.parts))
        #expect(parts.0.count == 14 && parts.1.count == 14)
        #expect(parts.0.dropLast().map(\.key) == parts.1.dropLast().map(\.key))
        #expect(parts.0.last?.key != parts.1.last?.key)
        // The sounds of the earlier film are no longer there; its encoded parts are.
        let there = Set(parts.0.map(\.key))
        let needed = NeededJobs(after.jobs) { there.contains($0) }
        let jobs = after.jobs.filter(needed.contains)
        #expect(jobs.filter { $0.kind == .soundtrack }.map(\.key) == [parts.1[13].key])
        let wanted = after.audioSegments[parts.1[13].segments].map(\.key)
        #expect(jobs.filter { $0.kind == .audio }.map(\.key) == wanted && wanted.count < after.audioSegments.count / 2)
    }

    @Test("The plan of an allocation knows all parts, and the stitch reads them in order")
    func artifacts() throws {
        var sample = sample(200)
        sample.settings.fileSizeLimit = 60_000_000
        let plan = try sample.plan()
        let keys = try #require(plan.soundtrack?.artifacts)
        #expect(keys.count == 7 && plan.bitrate?.allocation.limit?.soundtracks == keys)
        let stitch = try #require(plan.jobs.first { $0.kind == .stitch }?.work)
        #expect(stitch.stitchedSounds.map { $0.map(\.key) } == [keys])
        #expect(Set(stitch.artifacts).isSuperset(of: keys))
    }

    @Test("Tracks that begin with the same sound share its parts, and each has a job for all of its own")
    func sharedParts() throws {
        var sample = try SampleDraft(
            json: """
                {"version": 1, "mainTrackClips": [{"type": "av", "url": "a", "timeRange": {"start": 0, "duration": 240}}],
                 "audioClips": [{"id": "voice", "url": "b", "startTimeAtMainTrack": 150,
                   "timeRange": {"start": 0, "duration": 30}}],
                 "audioTracks": [{"language": "eng", "without": ["voice"]}, {"language": "deu"}]}
                """, facts: facts)
        sample.settings.fileSizeLimit = 60_000_000
        let plan = try sample.plan()
        let tracks = plan.allSoundtracks.map(\.plan.artifacts)
        #expect(tracks.count == 2 && tracks.allSatisfy { $0.count == 8 })
        #expect(tracks[0].prefix(4) == tracks[1].prefix(4) && tracks[0][5] != tracks[1][5])
        let made = Set(plan.jobs.map(\.key))
        for job in plan.jobs { #expect(made.isSuperset(of: job.work.artifacts), "\(job.kind)") }
        #expect(plan.jobCount == plan.jobs.count)
        let stitch = try #require(plan.jobs.first { $0.kind == .stitch }?.work)
        #expect(stitch.stitchedSounds.map { $0.map(\.key) } == tracks)
    }
}
