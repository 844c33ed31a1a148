import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// Every transition against the specification's table, on noise: no sample can be right by chance.
@Suite struct TransitionTests {
    /// Two sizes, of which one has an odd number of chroma columns and rows.
    static let sizes = [FrameSize(width: 64, height: 48), FrameSize(width: 50, height: 38)]
    /// Numbers of frames that give edges and moves at odd, even and broken places.
    static let counts = [1, 2, 3, 7, 10, 25, 30]

    @Test("Every frame of a transition is the specification's picture within one code value", arguments: Transition.Kind.allCases)
    func equalsReference(_ kind: Transition.Kind) throws {
        for size in TransitionTests.sizes {
            let from = PlanarPicture.noise(size, seed: 11)
            let to = PlanarPicture.noise(size, seed: 12)
            for count in TransitionTests.counts {
                for step in 0..<count {
                    let picture = try drawn(kind, from, to, step, count)
                    let wanted = ReferenceTransition(kind: kind, from: from, to: to, step: step, count: count).planes()
                    let error = largestError(picture, wanted)
                    #expect(error <= 1, "\(kind) \(step)/\(count) at \(size)")
                }
            }
        }
    }

    @Test("At its first frame a transition shows exactly the outgoing picture", arguments: Transition.Kind.allCases)
    func beginsWithTheOutgoing(_ kind: Transition.Kind) throws {
        let size = FrameSize(width: 50, height: 38)
        let from = PlanarPicture.noise(size, seed: 13)
        #expect(try drawn(kind, from, .noise(size, seed: 14), 0, 12) == from)
    }

    @Test(
        "A transition from a picture to itself that mixes or wipes changes nothing",
        arguments: [
            Transition.Kind.dissolve, .wipeLeft, .wipeRight, .wipeUp, .wipeDown,
        ])
    func ofEqualsIsIdentity(_ kind: Transition.Kind) throws {
        let picture = PlanarPicture.noise(FrameSize(width: 50, height: 38), seed: 15)
        for step in 0..<9 { #expect(try drawn(kind, picture, picture, step, 9) == picture) }
    }

    @Test("The compositor counts k of N frames from the first frame inside the overlap", arguments: Transition.Kind.allCases)
    func progressesFrameByFrame(_ kind: Transition.Kind) throws {
        let canvas = FrameSize(width: 50, height: 38)
        let colors = [RGBAColor(red: 200, green: 30, blue: 60, alpha: 255), RGBAColor(red: 10, green: 90, blue: 250, alpha: 255)]
        // Frames 11, 12, ... 17 of 25 per second stand inside [0.43, 0.71).
        let range = TimeRange(from: MediaTime(Rational(43, 100)), to: MediaTime(Rational(71, 100)))
        let stacks = colors.map { [Layer(content: .solid(color: $0))] }
        let transition = Transition(kind: kind, timeRange: range, from: stacks[0], to: stacks[1])
        let instruction = Instruction(timeRange: range, layers: [Layer(content: .transition(transition))])
        let compositor = try Compositor(instruction, canvas: canvas, frameRate: FrameRate(25), sources: [:])
        let flat = colors.map { flatPicture($0, canvas) }
        for step in 0..<7 {
            let wanted = ReferenceTransition(kind: kind, from: flat[0], to: flat[1], step: step, count: 7).planes()
            let picture = PlanarPicture(try compositor.picture(atFrame: 11 + step))
            #expect(largestError(picture, wanted) <= 1, "frame \(11 + step)")
        }
    }

    private func drawn(
        _ kind: Transition.Kind, _ from: PlanarPicture, _ to: PlanarPicture, _ step: Int, _ count: Int
    ) throws -> PlanarPicture {
        // What was there before must not show through.
        let target = try PlanarPicture(size: from.size, y: 1, u: 2, v: 3).frame()
        drawTransition(kind, from: try from.frame(), to: try to.frame(), step: step, count: count, into: target)
        return PlanarPicture(target)
    }
}
