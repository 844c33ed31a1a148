import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Checks the parameters of plug-ins against the plug-ins' declarations. A plug-in without facts was already reported
/// when it was looked up.
func checkPlugins(_ draft: Draft, facts: [String: SourceFacts], _ diagnostics: inout Diagnostics) {
    for use in PluginUse.all(in: draft) {
        let name = use.external.name
        if name.isEmpty { diagnostics.report("\(use.path).name", .invalidValue, "must be the name of a plug-in") }
        guard let plugin = facts[PluginLocation.location(of: name)]?.plugin, !diagnostics.isFaulty(use.path) else { continue }
        if plugin.channels != nil {
            diagnostics.report("\(use.path).name", .invalidValue, "'\(name)' filters sounds; call it in audioFilters")
            continue
        }
        guard plugin.kind ?? .filter == use.kind else {
            diagnostics.report("\(use.path).name", .invalidValue, "'\(name)' \((plugin.kind ?? .filter).place)")
            continue
        }
        if let transition = use.transition { checkProgress(of: transition, plugin, use.path, &diagnostics) }
        for (parameter, value) in use.external.parameters.sorted(by: { $0.key < $1.key }) {
            let place = "\(use.path).parameters.\(parameter)"
            guard let declared = declared(parameter, of: plugin, place, &diagnostics) else { continue }
            if use.moving[parameter] != nil {
                diagnostics.report(place, .conflict, "is animated; give it either here or in animations")
            }
            if case .failure(let fault) = PluginValue.read(value, as: declared) {
                diagnostics.report(place, fault.code, fault.message)
            }
        }
        for (parameter, value) in use.moving.sorted(by: { $0.key < $1.key }) {
            let place = "\(use.path).parameters.\(parameter)"
            guard let declared = declared(parameter, of: plugin, place, &diagnostics) else { continue }
            if declared.kind != .number {
                diagnostics.report(place, .invalidValue, "is a \(declared.kind.rawValue), and only numbers can be animated")
            } else if let stray = value.keys.map(\.value).first(where: { !declared.range.contains($0) }) {
                diagnostics.report(place, .outOfRange, "must be \(declared.rangeText), not \(stray.shortText)")
            }
        }
    }
}

extension PluginKind {
    /// The kind, and the places where a draft can call it, as words that follow a plug-in's name.
    fileprivate var place: String {
        switch self {
        case .filter: "is a filter; call it as an externalFilter, in filters, operations or effects"
        case .generator: "is a generator; call it as a clip or a layer's source of type 'generator'"
        case .mixer: "is a mixer; call it as an externalTransition or as the blendMode of a layer"
        }
    }
}

/// Checks which number runs over a transition.
private func checkProgress(
    of transition: DraftModel.Transition, _ plugin: PluginFacts, _ path: String, _ diagnostics: inout Diagnostics
) {
    let numbers = plugin.parameters.filter { $0.kind == .number }.map(\.name)
    let list = numbers.joined(separator: ", ")
    guard let progress = transition.progress else {
        if numbers.isEmpty {
            diagnostics.report(
                "\(path).name", .invalidValue,
                "'\(plugin.name)' has no number that could run over a transition; it can be the blendMode of a layer")
        } else if numbers.count > 1 {
            diagnostics.report(
                "\(path).progress", .missingField,
                "is required: which number of '\(plugin.name)' runs over the transition, \(list)")
        }
        return checkConflict(of: transition, numbers.count == 1 ? numbers[0] : nil, path, &diagnostics)
    }
    if !numbers.contains(progress) {
        let hint = nearestName(to: progress, among: numbers).map { "; did you mean '\($0)'?" } ?? "; there are \(list)"
        diagnostics.report(
            "\(path).progress", .invalidValue,
            "the plug-in '\(plugin.name)' has no number '\(progress)'\(numbers.isEmpty ? "; it has none" : hint)")
    }
    checkConflict(of: transition, progress, path, &diagnostics)
}

/// Checks that the number that runs over a transition has no value of its own.
private func checkConflict(
    of transition: DraftModel.Transition, _ progress: String?, _ path: String, _ diagnostics: inout Diagnostics
) {
    guard let progress, transition.parameters?[progress] != nil else { return }
    diagnostics.report("\(path).parameters.\(progress)", .conflict, "runs over the transition; leave it out")
}

private func declared(
    _ parameter: String, of plugin: PluginFacts, _ place: String, _ diagnostics: inout Diagnostics
) -> PluginFacts.Parameter? {
    if let declared = plugin.parameters.first(where: { $0.name == parameter }) { return declared }
    let names = plugin.parameters.map(\.name)
    let hint =
        nearestName(to: parameter, among: names).map { "; did you mean '\($0)'?" }
        ?? (names.isEmpty ? "; it has none" : "; there are \(names.joined(separator: ", "))")
    diagnostics.report(place, .unknownField, "the plug-in '\(plugin.name)' has no parameter '\(parameter)'\(hint)")
    return nil
}

extension PluginValue {
    /// The reason why a value does not fit its parameter.
    struct Fault: Error {
        var code: DraftDiagnostic.Code
        var message: String
    }

    /// Reads a draft's value as a value of a parameter.
    static func read(_ value: PicturePlugin.Value, as parameter: PluginFacts.Parameter) -> Result<PluginValue, Fault> {
        func wrong(_ expected: String) -> Result<PluginValue, Fault> {
            .failure(Fault(code: .wrongType, message: "must be \(expected)"))
        }
        switch parameter.kind {
        case .number:
            guard let number = value.number else { return wrong("a number") }
            guard parameter.range.contains(number) else {
                return .failure(Fault(code: .outOfRange, message: "must be \(parameter.rangeText), not \(number.shortText)"))
            }
            return .success(.number(value: number))
        case .bool:
            switch value {
            case .bool(let bool): return .success(.bool(value: bool))
            case .text("true"): return .success(.bool(value: true))
            case .text("false"): return .success(.bool(value: false))
            default: return wrong("true or false")
            }
        case .color:
            guard case .text(let text) = value, let color = Color(hex: text), color.alpha == 255 else {
                return wrong("a colour, #RRGGBB")
            }
            return .success(.color(color: RGBAColor(color)))
        case .position:
            guard case .position(let x, let y) = value else { return wrong("a position, {\"x\", \"y\"}") }
            guard (0...1).contains(x), (0...1).contains(y) else {
                return .failure(Fault(code: .outOfRange, message: "must have x and y within 0...1"))
            }
            return .success(.position(x: x, y: y))
        case .text:
            guard case .text(let text) = value, !text.utf8.contains(0) else { return wrong("a text") }
            return .success(.text(text: text))
        }
    }
}

extension PicturePlugin.Value {
    fileprivate var number: Double? {
        switch self {
        case .number(let value): value
        // Merge fields are filled in as text.
        case .text(let text): Double(text)
        case .bool, .position: nil
        }
    }
}

extension PluginFacts.Parameter {
    /// The declared range; 0...0 if the plug-in declares a minimum above its maximum.
    fileprivate var range: ClosedRange<Double> { minimum <= maximum ? minimum...maximum : 0...0 }
    fileprivate var rangeText: String { "\(minimum.shortText)...\(maximum.shortText)" }
}

extension Operation {
    /// A valid call of a plug-in.
    /// - Parameters:
    ///   - name: the operation's name; it is that of a filter by default.
    ///   - moving: the animated parameters, by name.
    ///   - start: when the clip, layer, effect or transition begins; nil for a plug-in whose own time is given elsewhere.
    /// - Returns: nil if the plug-in has no facts.
    init?(
        _ external: PicturePlugin, as name: String = PicturePlugin.filterType, _ moving: [String: AnimatedValue] = [:],
        from start: MediaTime?, facts: [String: SourceFacts]
    ) {
        guard let found = facts[PluginLocation.location(of: external.name)], let plugin = found.plugin else { return nil }
        var numbers = moving
        var settings: [String: PluginValue] = [:]
        for parameter in plugin.parameters {
            guard let given = external.parameters[parameter.name],
                case .success(let value) = PluginValue.read(given, as: parameter)
            else { continue }
            if case .number(let number) = value {
                numbers[parameter.name] = .constant(number)
            } else {
                settings[parameter.name] = value
            }
        }
        self.init(
            name: name, parameters: numbers, source: found.contentHash, start: start,
            plugin: PluginCall(name: external.name, settings: settings))
    }
}
