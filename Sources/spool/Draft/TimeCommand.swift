import DraftCompiler
import ArgumentParser
import CommandLineInterface
import ExactTime

/// `spool time`: converts times of the main track before its effects into times after them, and back. The effects may
/// change its speed and repeat or hold parts of it.
struct TimeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time", abstract: "Map times through a draft's speed, repeat, freeze and cut effects, and back.",
        discussion: "Times are seconds or num/den; ranges are two of them, as in 2..4.5. Without any the effects are listed.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Option(parsing: .upToNextOption, help: "Times or ranges before the effects: where are they shown first?")
    var apply: [MappedTime] = []

    @Option(parsing: .upToNextOption, help: "Times or ranges after the effects: what of the main track is shown there?")
    var remove: [MappedTime] = []

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let prepared = try await DraftPreparation(draft, work)
        let effects = try prepared.compiler.timeEffects(of: prepared.draft)
        let applied = apply.map { Mapping($0, $0.mapped(effects.apply, effects.apply)) }
        let removed = remove.map { Mapping($0, $0.mapped(effects.remove, effects.remove)) }
        if json {
            let report = Report(
                originalDuration: effects.originalDuration, duration: effects.duration, applied: applied, removed: removed)
            return try Terminal.printJSON(WithWarnings(report, prepared.warnings))
        }
        for mapping in applied + removed { Terminal.print("\(mapping.from.text) -> \(mapping.to.text)") }
        guard applied.isEmpty, removed.isEmpty else { return }
        Terminal.print("main track: \(effects.originalDuration) s, with its effects \(effects.duration) s")
        for effect in effects.effects { Terminal.print("  \(effect.text)") }
    }

    private struct Report: Encodable {
        var originalDuration: MediaTime
        var duration: MediaTime
        var applied: [Mapping]
        var removed: [Mapping]
    }

    private struct Mapping: Encodable {
        var from: MappedTime
        var to: MappedTime

        init(_ from: MappedTime, _ to: MappedTime) {
            (self.from, self.to) = (from, to)
        }
    }
}

/// A time or a range on the command line.
enum MappedTime: ExpressibleByArgument, Encodable {
    case time(MediaTime)
    case range(TimeRange)

    init?(argument: String) {
        if let time = Rational(text: argument) {
            self = .time(MediaTime(time))
            return
        }
        guard let dots = argument.firstRange(of: ".."), let start = Rational(text: String(argument[..<dots.lowerBound])),
            let end = Rational(text: String(argument[dots.upperBound...])), start <= end
        else { return nil }
        self = .range(TimeRange(from: MediaTime(start), to: MediaTime(end)))
    }

    func mapped(_ time: (MediaTime) -> MediaTime, _ range: (TimeRange) -> TimeRange) -> MappedTime {
        switch self {
        case .time(let value): .time(time(value))
        case .range(let value): .range(range(value))
        }
    }

    var text: String {
        switch self {
        case .time(let time): "\(time)"
        case .range(let range): "\(range.start)..\(range.end)"
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .time(let time): try time.encode(to: encoder)
        case .range(let range): try range.encode(to: encoder)
        }
    }
}

extension TimeEffect {
    fileprivate var text: String {
        switch self {
        case .speed(let range, let speed): "\(range.start)..\(range.end) plays at speed \(speed)"
        case .repetition(let range, let count): "\(range.start)..\(range.end) plays \(count) times"
        case .freeze(let instant, let duration): "\(instant) is held for \(duration) s"
        case .cut(let range): "\(range.start)..\(range.end) is cut out"
        }
    }
}
