package import Vocabulary

/// A picture file that is made of frames of a film: a poster, a sheet of sprites, or a picture for a person.
package struct PicturePlan: Hashable, Sendable, Codable {
    package var key: ArtifactKey
    package var sheet: ContactSheet
    package var fileType: PictureFileType

    package init(key: ArtifactKey, sheet: ContactSheet, fileType: PictureFileType) {
        self.key = key
        self.sheet = sheet
        self.fileType = fileType
    }
}

/// The pictures that are made beside a film.
package struct FilmPicturesPlan: Hashable, Sendable, Codable {
    package var poster: PicturePlan?
    package var sprites: SpritesPlan?

    package init(poster: PicturePlan? = nil, sprites: SpritesPlan? = nil) {
        self.poster = poster
        self.sprites = sprites
    }

    /// All files, the poster first.
    package var files: [PicturePlan] { [poster].compactMap(\.self) + (sprites?.sheets ?? []) }

    /// What is known of the files: names, keys and places.
    package var pictures: FilmPictures {
        FilmPictures(poster: poster?.key, sprites: sprites.map { FilmPictures.Sprites(sheets: $0.sheets.map(\.key), $0.index) })
    }
}

/// Small pictures of the film at regular times, for players that show them above their time line.
package struct SpritesPlan: Hashable, Sendable, Codable {
    /// The files, each with a rectangle of sprites.
    package var sheets: [PicturePlan]
    package var index: SpriteIndex

    package init(sheets: [PicturePlan], index: SpriteIndex) {
        self.sheets = sheets
        self.index = index
    }
}
