import DraftModel
import ExportPlan
import Vocabulary

/// The colour description of a film that keeps its sources' colours; nil for other films.
///
/// `checkColorRange` has checked that all pictures have the same colour description. Their HDR metadata may differ.
func decideColor(_ draft: Draft, _ settings: ExportSettings, _ facts: [String: SourceFacts]) -> FilmColor? {
    let pictures = pictures(of: draft, facts).map(\.picture)
    guard settings.colorRange == .hdr, var color = pictures.first?.color else { return nil }
    color.isFullRange = false
    let locations = Set(pictures.map { $0.chromaLocation ?? .left })
    return FilmColor(
        color, chromaLocation: locations == [.left] || locations.count > 1 ? nil : locations.first,
        hdrMetadata: HDRMetadata(masteringDisplay: masteringDisplay(pictures), contentLight: contentLight(pictures)))
}

/// The mastering display of the first picture that names one. A film can have only one.
private func masteringDisplay(_ pictures: [VideoFacts]) -> MasteringDisplay? {
    pictures.lazy.compactMap(\.hdrMetadata?.masteringDisplay).first
}

/// The content light levels of the film are the maxima over its clips. They are unknown if one clip does not state
/// them.
private func contentLight(_ pictures: [VideoFacts]) -> ContentLight? {
    let known = pictures.compactMap(\.hdrMetadata?.contentLight)
    guard known.count == pictures.count, let content = known.map(\.maxContent).max(),
        let average = known.map(\.maxFrameAverage).max()
    else { return nil }
    return ContentLight(maxContent: content, maxFrameAverage: average)
}

extension OutputFormat {
    mutating func keep(_ color: FilmColor) {
        video?.color = color
        container.hdrMetadata = color.hdrMetadata
    }
}
