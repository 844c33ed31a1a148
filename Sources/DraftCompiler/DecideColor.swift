import DraftModel
import ExportPlan
import Vocabulary

/// What the pictures of a film are that keeps its sources' colours; nil where it does not.
///
/// `checkColorRange` has found all pictures to be of one kind. What they say of their light may differ.
func decideColor(_ draft: Draft, _ settings: ExportSettings, _ facts: [String: SourceFacts]) -> FilmColor? {
    let pictures = pictures(of: draft, facts).map(\.picture)
    guard settings.colorRange == .hdr, var color = pictures.first?.color else { return nil }
    color.isFullRange = false
    let locations = Set(pictures.map { $0.chromaLocation ?? .left })
    return FilmColor(
        color, chromaLocation: locations == [.left] || locations.count > 1 ? nil : locations.first,
        light: LightMetadata(masteringDisplay: masteringDisplay(pictures), contentLight: contentLight(pictures)))
}

/// A film has one: that of the first picture that has any.
private func masteringDisplay(_ pictures: [VideoFacts]) -> MasteringDisplay? {
    pictures.lazy.compactMap(\.light?.masteringDisplay).first
}

/// The maxima of a film are the greatest of its clips'; where one does not say, nobody knows them.
private func contentLight(_ pictures: [VideoFacts]) -> ContentLight? {
    let known = pictures.compactMap(\.light?.contentLight)
    guard known.count == pictures.count, let content = known.map(\.maxContent).max(),
        let average = known.map(\.maxFrameAverage).max()
    else { return nil }
    return ContentLight(maxContent: content, maxFrameAverage: average)
}

extension OutputFormat {
    mutating func keep(_ color: FilmColor) {
        video?.color = color
        container.light = color.light
    }
}
