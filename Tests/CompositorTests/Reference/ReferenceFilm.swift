import Compositor
import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import FoundationEssentials

/// A draft drawn in two ways: compiled and composed as in an export, and drawn by the reference.
struct ReferenceFilm {
    let draft: Draft
    let composition: Composition
    let plan: RenderPlan
    let reference: ReferenceRenderer
    private let media: ReferenceMedia

    /// - Throws: `DraftError` if the draft is not valid.
    init(_ draft: Draft, _ media: ReferenceMedia) throws {
        let compiled = try Compiler(settings: ExportSettings(), facts: media.facts).compile(draft)
        (composition, plan) = (compiled.composition, compiled.plan)
        guard let reference = ReferenceRenderer(draft, sources: media.pictures) else {
            throw DraftError([DraftDiagnostic(path: "videoSize", code: .missingField, message: "the reference needs it")])
        }
        self.reference = reference
        self.draft = draft
        self.media = media
    }

    init(json: String, _ media: ReferenceMedia) throws {
        let read = Draft.read(Data(json.utf8))
        guard let draft = read.draft, read.diagnostics.isEmpty else { throw DraftError(read.diagnostics) }
        try self.init(draft, media)
    }

    var frameCount: Int { composition.frameCount }

    /// All frames, segment by segment and in order.
    func frames() throws -> [PlanarPicture] {
        try plan.videoSegments.flatMap { segment in
            let slice = segment.slice
            let compositor = try Compositor(
                slice.instruction, canvas: slice.canvas, frameRate: slice.frameRate, sources: media.files)
            return try (0..<slice.frameCount).map { PlanarPicture(try compositor.picture(atFrame: $0)) }
        }
    }

    /// One frame drawn alone on the film's own timeline, without any segments.
    func frame(_ index: Int) throws -> PlanarPicture? {
        let rate = composition.frameRate
        guard let instruction = composition.instructions.first(where: { rate.frames(in: $0.timeRange).contains(index) })
        else { return nil }
        let compositor = try Compositor(instruction, canvas: composition.canvas, frameRate: rate, sources: media.files)
        return PlanarPicture(try compositor.picture(atFrame: index))
    }

    /// The worst comparison with the reference among some frames that are spread over the film.
    func comparison(ofFrames count: Int) throws -> (frame: Int, ReferenceComparison)? {
        let all = try frames()
        var worst: (frame: Int, ReferenceComparison)?
        for index in 0..<min(count, all.count) {
            let frame = index * all.count / min(count, all.count)
            let found = ReferenceComparison(all[frame], try reference.picture(atFrame: frame))
            guard found.isGood else { return (frame, found) }
            if found.worst >= worst?.1.worst ?? 0 { worst = (frame, found) }
        }
        return worst
    }

    /// The smallest draft that still fails, found by leaving out one part after another.
    func shrunk(_ fails: (ReferenceFilm) -> Bool) -> Draft {
        var smallest = draft
        var isDone = false
        while !isDone {
            isDone = true
            for candidate in smallest.smaller {
                guard let film = try? ReferenceFilm(candidate, media), fails(film) else { continue }  // invalid draft
                smallest = candidate
                isDone = false
                break
            }
        }
        return smallest
    }
}

extension Draft {
    /// The draft's JSON, with which the failure can be reproduced.
    var text: String {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""  // only used in a message
    }

    /// This draft with one part left out, large parts first.
    fileprivate var smaller: [Draft] {
        func with(_ change: (inout Draft) -> Void) -> Draft {
            var result = self
            change(&result)
            return result
        }
        var found = (layers ?? []).indices.map { index in with { $0.layers?.remove(at: index) } }
        found += (effects ?? []).indices.map { index in with { $0.effects?.remove(at: index) } }
        if mainTrackClips.count > 1 {
            found += mainTrackClips.indices.map { index in
                with {
                    $0.mainTrackClips.remove(at: index)
                    $0.mainTrackClips[0].transition = nil
                }
            }
        }
        for (index, layer) in (layers ?? []).enumerated() {
            found += layer.smaller.map { smaller in with { $0.layers?[index] = smaller } }
        }
        for index in mainTrackClips.indices {
            found += [
                with { $0.mainTrackClips[index].animations = nil },
                with { $0.mainTrackClips[index].filters = nil }, with { $0.mainTrackClips[index].transform = nil },
                with { $0.mainTrackClips[index].opacity = nil }, with { $0.mainTrackClips[index].cropRect = nil },
                with { $0.mainTrackClips[index].preferredTransform = nil },
                with { $0.mainTrackClips[index].transition = nil },
            ]
        }
        found += [with { $0.timeRange = nil }, with { $0.background = nil }]
        return found.filter { $0 != self }
    }
}

extension DraftLayer {
    fileprivate var smaller: [DraftLayer] {
        func with(_ change: (inout DraftLayer) -> Void) -> DraftLayer {
            var result = self
            change(&result)
            return result
        }
        var found = [
            with { $0.animations = nil }, with { $0.operations = nil }, with { $0.blendMode = nil }, with { $0.opacity = nil },
            with { $0.transitionIn = nil }, with { $0.transitionOut = nil }, with { $0.mask = nil },
            with { $0.mask?.feather = nil }, with { $0.mask?.transform = nil },
            with { $0.mask?.channel = nil }, with { $0.mask?.inverted = nil }, with { $0.cropRect = nil },
            with { $0.transform = nil }, with { $0.transform?.rotation = nil },
            with { $0.transform?.scale = nil }, with { $0.transform?.anchor = nil }, with { $0.transform?.fit = nil },
        ]
        for (index, layer) in (source?.layers ?? []).enumerated() {
            found.append(with { $0.source?.layers?.remove(at: index) })
            found += layer.smaller.map { smaller in with { $0.source?.layers?[index] = smaller } }
        }
        return found.filter { $0 != self }
    }
}
