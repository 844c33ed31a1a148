package import Vocabulary

/// The pictures beside a film, as those who ask for the film know them: a poster, and sprites with their index.
package struct FilmPictures: Hashable, Sendable, Codable {
    package struct Sprites: Hashable, Sendable, Codable {
        /// The keys of the sheets, in order.
        package var sheets: [ArtifactKey]
        package var index: SpriteIndex

        package init(sheets: [ArtifactKey], _ index: SpriteIndex) {
            self.sheets = sheets
            self.index = index
        }
    }

    /// The poster's key; nil where the film has none.
    package var poster: ArtifactKey?
    package var sprites: Sprites?

    package init(poster: ArtifactKey? = nil, sprites: Sprites? = nil) {
        self.poster = poster
        self.sprites = sprites
    }

    /// The type of all pictures beside films.
    package static let fileType = PictureFileType.jpeg

    /// A file beside a film.
    package struct File: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            case artifact(ArtifactKey)
            case text(String)
        }

        package var name: String
        package var mediaType: String
        package var content: Content
    }

    /// The keys of all pictures.
    package var keys: [ArtifactKey] { [poster].compactMap(\.self) + (sprites?.sheets ?? []) }

    /// The files beside a film: `NAME.poster.jpg` and so on for `NAME.mp4`.
    /// - Parameters:
    ///   - film: the film's name or path.
    ///   - container: the film's container, whose suffix does not belong to `NAME`; nil where it is not known.
    package func files(beside film: String, _ container: ContainerFormat?) -> [File] {
        let suffix = container?.suffixes.first { film.lowercased().hasSuffix(".\($0)") }
        return files(prefix: (suffix.map { String(film.dropLast($0.count + 1)) } ?? film) + ".")
    }

    /// The files beside a film whose name says its container by the suffix.
    /// - Parameter film: the film's name or path.
    package func files(beside film: String) -> [File] {
        let suffix = film.split(separator: ".").last.map(String.init) ?? ""
        return files(beside: film, FormatCatalogue.container(ofSuffix: suffix))
    }

    /// All files. The index is last, so that the files that it names are there before it.
    /// - Parameter prefix: what all names begin with, such as `folder/film.`.
    package func files(prefix: String = "") -> [File] {
        let (suffix, mediaType) = (FilmPictures.fileType.suffix, FilmPictures.fileType.mediaType)
        func sheet(_ number: Int) -> String { "\(prefix)sprites-\(number + 1).\(suffix)" }
        var files: [File] = []
        if let poster { files.append(File(name: "\(prefix)poster.\(suffix)", mediaType: mediaType, content: .artifact(poster))) }
        guard let sprites else { return files }
        files += sprites.sheets.enumerated().map { File(name: sheet($0), mediaType: mediaType, content: .artifact($1)) }
        // The index lies beside the sheets, and names them by relative addresses without the folders of the prefix.
        let index = sprites.index.webVTT { number in
            let name = sheet(number)
            return (name.split(separator: "/").last.map(String.init) ?? name).percentEncoded()
        }
        files.append(File(name: "\(prefix)sprites.vtt", mediaType: "text/vtt", content: .text(index)))
        return files
    }
}
