import ExactTime
import ExportPlan
import FoundationEssentials

/// Reads and checks the JSON of a Lottie animation.
extension LottieDocument {
    /// The most bytes of a file.
    static let byteLimit = 16 << 20
    /// The most layers and shapes that are drawn, those of a composition counted for each use of it, and those that a
    /// repeater copies for each copy.
    static let drawnLimit = 100_000
    /// The most copies of a repeater.
    static let copyLimit = 1000
    /// The greatest number. rlottie's strokes of 10^9 pixels take minutes, and longer ones have no end.
    static let greatestNumber = 1e7
    /// The least length of a dash with its gap, in pixels, where it is not zero.
    static let leastDash = 0.1

    /// Whether the first bytes of a file are those of a JSON object.
    static func isBegun(by head: some Collection<UInt8>) -> Bool {
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head.dropFirst(0)
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
    }

    /// Whether the first bytes are those of a ZIP archive that begins with a packed animation.
    static func isPacked(in head: some Collection<UInt8>) -> Bool {
        guard head.starts(with: [0x50, 0x4B, 3, 4]) else { return false }
        let text = String(decoding: head, as: UTF8.self)
        return text.contains("animations/") || text.contains("manifest.json")
    }

    /// - Throws: `MediaError` `unknownFormat` for other JSON, `damaged`, or `overLimit`.
    static func read(_ file: SourceFile) throws(MediaError) -> (document: LottieDocument, text: Data) {
        let path = file.path
        guard file.byteCount <= byteLimit else {
            throw MediaError(
                .overLimit, subject: path,
                message: "is JSON of \(file.byteCount) bytes; Lottie animations are read up to \(byteLimit), so simplify it")
        }
        let bytes = try file.bytes()
        // rlottie knows no byte order mark.
        let text = Data(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...])
        let decoder = JSONDecoder()
        guard let members = try? decoder.decode(Members.self, from: text) else {
            throw MediaError(
                .damaged, subject: path,
                message: "is damaged: it begins as JSON does, but is not valid JSON; export the animation again")
        }
        guard members.isLottie else {
            throw MediaError(
                .unknownFormat, subject: path,
                message: members.isDraft
                    ? "is a draft and no source; render it with `spool export`, and name the film"
                    : "is JSON, but no Lottie animation: it has no w, h, fr, ip, op and layers")
        }
        do {
            try checkNumbers(text, path)
            let document = try decoder.decode(LottieDocument.self, from: text)
            try document.check(path)
            return (document, text)
        } catch let error as MediaError {
            throw error
        } catch {
            let place = (error as? DecodingError).map(LottieDocument.place) ?? ""
            throw MediaError(
                .damaged, subject: path,
                message: "is damaged: it is no valid Lottie animation\(place); export it again from the program that made it")
        }
    }

    /// Checks every number of the document, whatever it is for.
    private static func checkNumbers(_ text: Data, _ path: String) throws(MediaError) {
        var number: [UInt8] = []
        var isInText = false
        var isEscaped = false
        for byte in text {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            if "0123456789+-.eE".utf8.contains(byte) {
                number.append(byte)
                continue
            }
            // With fewer characters none is so great.
            if number.count > 2, let value = Double(String(decoding: number, as: UTF8.self)), abs(value) > greatestNumber {
                throw MediaError(
                    .overLimit, subject: path,
                    message: "is JSON with the number \(String(decoding: number.prefix(40), as: UTF8.self)); Lottie animations "
                        + "are read with numbers up to \(Int(greatestNumber))")
            }
            number.removeAll(keepingCapacity: true)
            isInText = byte == UInt8(ascii: "\"")
        }
    }

    /// The names of an object's members.
    private struct Members: Decodable {
        private var names: Set<String> = []

        private struct Name: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            names = Set(try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue))
        }

        var isLottie: Bool { names.isSuperset(of: ["w", "h", "fr", "ip", "op", "layers"]) }
        var isDraft: Bool { names.contains("version") && !names.isDisjoint(with: ["mainTrackClips", "layers", "audioClips"]) }
    }

    /// The place of a mistake in the JSON, for a message: " (at layers[0].shapes)".
    private static func place(_ error: DecodingError) -> String {
        let path: [any CodingKey] =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            @unknown default: []
            }
        guard !path.isEmpty else { return "" }
        let words = path.prefix(12).reduce("") { text, key in
            key.intValue.map { "\(text)[\($0)]" } ?? (text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)")
        }
        return " (at \(words))"
    }

    /// - Throws: `MediaError` `damaged` for a frame rate that no player has.
    func checkedFrameRate(_ path: String) throws(MediaError) -> FrameRate {
        guard let frameRate else {
            throw MediaError(.damaged, subject: path, message: "is damaged: its frame rate is not between 0 and 1000")
        }
        return frameRate
    }

    private func check(_ path: String) throws(MediaError) {
        guard [w, h, ip, op].allSatisfy(\.isFinite), max(abs(w), abs(h), abs(ip), abs(op)) < 1e9, w >= 1, h >= 1 else {
            throw MediaError(.damaged, subject: path, message: "is damaged: its animation has no size")
        }
        _ = try checkedFrameRate(path)
        guard op - ip >= 1 else {
            throw MediaError(.damaged, subject: path, message: "is damaged: it has no frame (ip \(ip), op \(op))")
        }
        try PictureLimits.checkAnimation(size, frames: Int(op - ip), path)
        try checkAssets(path)
        var compositions: [Identifier: [Layer]] = [:]
        for asset in assets ?? [] {
            if let id = asset.id, let layers = asset.layers, compositions[id] == nil { compositions[id] = layers }
        }
        var counting = Counting(compositions: compositions)
        _ = try drawnCount(layers, path, inside: [], &counting)
    }

    /// The compositions by their ids, and how many layers and shapes those have that were counted.
    private struct Counting {
        let compositions: [Identifier: [Layer]]
        var known: [Identifier: Int] = [:]
    }

    /// The size in whole pixels.
    var size: FrameSize { FrameSize(width: Int(w), height: Int(h)) }

    /// Files outside of an animation are never read, and pictures inside of it are not decoded.
    private func checkAssets(_ path: String) throws(MediaError) {
        guard let picture = assets?.first(where: { $0.layers == nil && $0.p != nil })?.p else { return }
        let name = picture.hasPrefix("data:") ? "" : " ('\(picture.prefix(60))')"
        throw MediaError(
            .unknownFormat, subject: path,
            message: "is a Lottie animation with a picture\(name), which is not drawn; "
                + "convert the picture to shapes, or render the animation to a video with transparency")
    }

    /// How many layers and shapes are drawn, those of compositions included, after checking each.
    /// - Parameters:
    ///   - parents: the compositions that the layers are inside of.
    ///   - counting: what is known of compositions.
    private func drawnCount(
        _ layers: [Layer], _ path: String, inside parents: [Identifier], _ counting: inout Counting
    ) throws(MediaError) -> Int {
        var count = 0
        for layer in layers {
            if let undrawn = layer.undrawn {
                throw MediaError(
                    .unknownFormat, subject: path,
                    message: "is a Lottie animation with \(undrawn), which are not drawn; convert them to shapes, remove them, "
                        + "or render the animation to a video with transparency")
            }
            count += 1 + (try drawnCount(layer.shapes ?? [], copies: 1, path))
            if layer.ty == 0, let id = layer.refId { count += try drawnCount(of: id, path, inside: parents, &counting) }
            guard count <= LottieDocument.drawnLimit else { throw LottieDocument.tooMany(path) }
        }
        return count
    }

    private func drawnCount(
        of id: Identifier, _ path: String, inside parents: [Identifier], _ counting: inout Counting
    ) throws(MediaError) -> Int {
        if let count = counting.known[id] { return count }
        guard !parents.contains(id), parents.count < 100 else {
            throw MediaError(
                .damaged, subject: path, message: "is damaged: its composition '\(id.text.prefix(60))' contains itself")
        }
        guard let layers = counting.compositions[id] else {
            throw MediaError(
                .damaged, subject: path, message: "is damaged: it lacks its composition '\(id.text.prefix(60))'")
        }
        let count = try drawnCount(layers, path, inside: parents + [id], &counting)
        counting.known[id] = count
        return count
    }

    /// How many shapes of a group are drawn, those of its groups included.
    /// - Parameter copies: how often the group itself is drawn.
    private func drawnCount(_ shapes: [Shape], copies: Int, _ path: String) throws(MediaError) -> Int {
        var copies = copies
        for shape in shapes where shape.ty == "rp" {
            let most = shape.c?.most ?? 1
            guard most <= Double(LottieDocument.copyLimit) else {
                throw MediaError(
                    .overLimit, subject: path, message: "has a repeater of more than \(LottieDocument.copyLimit) copies")
            }
            copies *= Int(max(1, most.rounded(.up)))
            guard copies <= LottieDocument.drawnLimit else { throw LottieDocument.tooMany(path) }
        }
        var count = shapes.count * copies
        for shape in shapes {
            if let dashes = shape.d { try check(dashes, path) }
            count += try drawnCount(shape.it ?? [], copies: copies, path)
            guard count <= LottieDocument.drawnLimit else { throw LottieDocument.tooMany(path) }
        }
        return count
    }

    /// rlottie draws dashes one by one, and for ever where one is negative.
    private func check(_ dashes: Dashes, _ path: String) throws(MediaError) {
        guard !dashes.hasNegative else {
            throw MediaError(.damaged, subject: path, message: "is damaged: a stroke has a dash of negative length")
        }
        guard dashes.most == 0 || dashes.least >= LottieDocument.leastDash else {
            throw MediaError(
                .overLimit, subject: path,
                message: "has a dashed stroke whose dash and gap together are shorter than \(LottieDocument.leastDash) pixels")
        }
    }

    private static func tooMany(_ path: String) -> MediaError {
        MediaError(
            .overLimit, subject: path,
            message: "draws more than \(drawnLimit) layers and shapes, those of compositions counted for each use and those "
                + "of repeaters for each copy")
    }

    /// Whether the animation has something that changes its picture and that rlottie passes over: effects, layers in three
    /// dimensions, merged paths, and expressions, which are texts in the member `x` of a property. rlottie 0.1 also leaves out
    /// a layer that has a matte and a single fill or stroke.
    func hasMore(in text: Data) -> Bool {
        let all = layers + (assets ?? []).flatMap { $0.layers ?? [] }
        let isUndrawn = all.contains { layer in
            let shapes = layer.shapes ?? []
            let isMatted = layer.tt ?? 0 != 0 && layer.ty == 4
            return layer.ddd == 1 || layer.ef?.isEmpty == false || shapes.contains(where: \.isMerged)
                || isMatted && shapes.map(\.paintCount).reduce(0, +) == 1
        }
        if isUndrawn { return true }
        let wanted = Array("\"x\":\"".utf8)
        var matched = 0
        for byte in text where !" \t\r\n".utf8.contains(byte) {
            matched = byte == wanted[matched] ? matched + 1 : byte == wanted[0] ? 1 : 0
            if matched == wanted.count { return true }
        }
        return false
    }
}

extension LottieDocument.Shape {
    /// Whether it, or a part of it, merges paths.
    fileprivate var isMerged: Bool { ty == "mm" || (it ?? []).contains(where: \.isMerged) }

    /// How many fills and strokes it has.
    fileprivate var paintCount: Int {
        (["fl", "gf", "st", "gs"].contains(ty) ? 1 : 0) + (it ?? []).map(\.paintCount).reduce(0, +)
    }
}
