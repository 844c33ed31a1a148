import ArgumentParser
import ArtifactStore
import ExportPlan

/// `spool plan`: the jobs of an export and which of them the cache already has.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show the segments of an export, their keys, and what the cache has of them.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print the whole plan as JSON.")
    var json = false

    func run() async throws {
        let prepared = try await DraftPreparation(draft, work)
        if json { return try Terminal.printJSON(prepared.plan) }
        func state(_ key: ArtifactKey) throws -> String {
            try prepared.store.localFile(for: key) == nil ? "to render" : "in the cache"
        }
        for segment in prepared.plan.videoSegments {
            let frames = segment.firstFrame..<(segment.firstFrame + segment.slice.frameCount)
            print("video  \(segment.key.text.prefix(12))  frames \(frames)  \(try state(segment.key))")
        }
        for segment in prepared.plan.audioSegments {
            let samples = segment.firstSample..<(segment.firstSample + segment.slice.sampleCount)
            print("audio  \(segment.key.text.prefix(12))  samples \(samples)  \(try state(segment.key))")
        }
        print(
            "sound  \(prepared.plan.soundtrack.key.text.prefix(12))  \(prepared.plan.soundtrack.sampleCount) samples  \(try state(prepared.plan.soundtrack.key))"
        )
        print("film   \(prepared.plan.stitch.key.text.prefix(12))  \(prepared.plan.stitch.frameCount) frames")
    }
}
