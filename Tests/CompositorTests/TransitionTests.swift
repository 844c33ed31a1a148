import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary

/// The specification's own transitions compared with its table, on noise, so that no sample is right by chance.
/// `XfadeTests` covers the transitions with names of xfade.
@Suite struct TransitionTests {
    /// Two sizes, one of which has odd numbers of chroma columns and rows.
    static let sizes = [FrameSize(width: 64, height: 48), FrameSize(width: 50, height: 38)]
    /// Frame counts that put edges and moves at odd, even and fractional places.
    static let counts = [1, 2, 3, 7, 10, 25, 30]

    @Test(
        "Every frame equals the specification's picture within one code value", arguments: ReferenceTransition.kinds)
    func equalsReference(_ kind: TransitionKind) throws {
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

    /// Some of xfade's transitions begin differently: rectangles lack a row or column at p = 0, a squeeze rounds half a
    /// step in its middle, and distance cuts at once where the pictures differ most.
    static let beginningClean = TransitionKind.builtIn.filter {
        ![.rectCrop, .wipeBl, .wipeBr, .wipeTr, .squeezeH, .squeezeV, .distance].contains($0)
    }

    @Test("A transition's first frame is exactly the outgoing picture", arguments: TransitionTests.beginningClean)
    func beginsWithTheOutgoing(_ kind: TransitionKind) throws {
        let size = FrameSize(width: 50, height: 38)
        let from = PlanarPicture.noise(size, seed: 13)
        #expect(try drawn(kind, from, .noise(size, seed: 14), 0, 12) == from)
    }

    @Test(
        "A mixing or wiping transition from a picture to itself changes nothing",
        arguments: [
            TransitionKind.dissolve, .wipeLeft, .wipeRight, .wipeUp, .wipeDown, .smoothLeft, .smoothDown, .circleOpen,
            .circleClose,
            .vertOpen, .horzClose, .radial, .diagTr, .hlSlice, .vdSlice, .wipeTl, .wipeBr, .dissolveNoise, .distance, .fadeFast,
            .fadeSlow,
        ])
    func ofEqualsIsIdentity(_ kind: TransitionKind) throws {
        let picture = PlanarPicture.noise(FrameSize(width: 50, height: 38), seed: 15)
        for step in 0..<9 { #expect(try drawn(kind, picture, picture, step, 9) == picture) }
    }

    @Test("The compositor counts k of N frames from the first frame in the overlap", arguments: TransitionKind.builtIn)
    func progressesFrameByFrame(_ kind: TransitionKind) throws {
        let canvas = FrameSize(width: 50, height: 38)
        let colors = [RGBAColor(red: 200, green: 30, blue: 60, alpha: 255), RGBAColor(red: 10, green: 90, blue: 250, alpha: 255)]
        // Frames 11 to 17 at 25 frames per second are inside [0.43, 0.71).
        let range = TimeRange(from: MediaTime(Rational(43, 100)), to: MediaTime(Rational(71, 100)))
        let stacks = colors.map { [Layer(content: .solid(color: $0))] }
        let transition = Transition(kind: kind, timeRange: range, from: stacks[0], to: stacks[1])
        let instruction = Instruction(timeRange: range, layers: [Layer(content: .transition(transition))])
        let compositor = try Compositor(instruction, canvas: canvas, frameRate: FrameRate(25), sources: [:])
        let flat = colors.map { flatPicture($0, canvas) }
        for step in 0..<7 {
            let wanted = try drawn(kind, flat[0], flat[1], step, 7)
            #expect(PlanarPicture(try compositor.picture(atFrame: 11 + step)) == wanted, "frame \(11 + step)")
        }
    }

    private func drawn(
        _ kind: TransitionKind, _ from: PlanarPicture, _ to: PlanarPicture, _ step: Int, _ count: Int
    ) throws -> PlanarPicture {
        // The previous contents of the target must not show through.
        let target = try PlanarPicture(size: from.size, y: 1, u: 2, v: 3).frame()
        let drawing = try makeTransitionDrawing(kind, size: from.size)
        drawing.draw(try from.frame(), try to.frame(), TransitionProgress(step: step, count: count), into: target)
        return PlanarPicture(target)
    }
}
