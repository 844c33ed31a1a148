/// What a job is predicted to need of its machine while it runs, beside the time that `JobWeight` predicts. A worker's
/// slots are of equal size; a job that needs more than one slot offers takes several (`WorkerCapacity.width`).
///
/// No prediction is exact, so each is rounded up: memory to four steps in an octave, which are about a fifth apart, and
/// processors to quarters. A farm then has jobs of few different sizes, for each of which the scheduler has a queue.
package struct JobDemand: Hashable, Sendable, Codable {
    /// Bytes of memory that the rendering process occupies at its peak, 32 MiB...1 PiB; 0 where nothing is known, and
    /// then the job takes one slot. `Int64.max` stands for a whole machine.
    package let memory: Int64
    /// How many threads the job keeps busy, 1...1024.
    package let processors: Double

    /// The demand of a job that has to be alone on its machine: all slots of any worker.
    package static let wholeMachine = JobDemand(exactly: .max, 1)

    /// - Parameters:
    ///   - memory: bytes; 0 or less where nothing is known.
    ///   - processors: threads that are busy at a time, on average.
    package init(memory: Int64 = 0, processors: Double = 1) {
        self.init(exactly: JobDemand.roundedUp(memory), JobDemand.roundedUp(processors))
    }

    private init(exactly memory: Int64, _ processors: Double) {
        self.memory = memory
        self.processors = processors
    }

    package var isWholeMachine: Bool { memory == .max }

    /// Reads a demand that any version wrote.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let memory = try values.decodeIfPresent(Int64.self, forKey: .memory) ?? 0
        self =
            memory == .max
            ? .wholeMachine
            : JobDemand(memory: memory, processors: try values.decodeIfPresent(Double.self, forKey: .processors) ?? 1)
    }

    private static let leastMemory: Int64 = 32 << 20
    private static let mostMemory: Int64 = 1 << 50

    /// The quarters of an octave, in 256ths of its beginning.
    private static let steps: [Int64] = [256, 304, 362, 431]

    private static func roundedUp(_ memory: Int64) -> Int64 {
        guard memory > 0 else { return 0 }
        guard memory > leastMemory else { return leastMemory }
        guard memory < mostMemory else { return mostMemory }
        let octave = Int64(1) << (Int64.bitWidth - 1 - memory.leadingZeroBitCount)
        return steps.lazy.map { octave / 256 * $0 }.first { $0 >= memory } ?? octave * 2
    }

    private static func roundedUp(_ processors: Double) -> Double {
        // A number that is none counts as one thread.
        processors >= 1 ? min(1024, (processors * 4).rounded(.up) / 4) : 1
    }
}
