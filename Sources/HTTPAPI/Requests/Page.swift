import FarmAPI
import FoundationEssentials

/// Which page of a listing a client asks for, by the parameters `limit` and `cursor`.
///
/// A cursor holds the place of the last item of the page before, so pages neither repeat nor miss what stays in the listing
/// while others come and go.
struct Page {
    /// At most so many items are on the page.
    let limit: Int
    /// The place of the last item of the page before, as the listing has written it; nil for the first page.
    let place: String?

    init(_ query: QueryParameters) throws {
        limit = try query.integer("limit", in: 1...1000) ?? 100
        guard let cursor = query.values["cursor"] else {
            place = nil
            return
        }
        let standard = cursor.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding), let text = String(validating: data, as: UTF8.self),
            !text.isEmpty, !text.utf8.contains(0)
        else { throw Page.unknownCursor }
        place = text
    }

    /// How many items to ask for: one more than the page has, which tells whether there is another page.
    var asked: Int { limit + 1 }

    /// The page of what was found.
    /// - Parameters:
    ///   - found: `asked` items or fewer.
    ///   - place: the place of an item.
    func listing<Item>(_ found: [Item], at now: Date = Date(), place: (Item) -> String) -> Listing<Item> {
        let items = Array(found.prefix(limit))
        let next = found.count > limit ? items.last.map(place).map(Page.cursor) : nil
        return Listing(items, at: now, next: next)
    }

    /// The page of a listing that is known as a whole, in the order of its places.
    func listing<Item>(whole: [Item], at now: Date = Date(), place: (Item) -> String) -> Listing<Item> {
        let last = self.place ?? ""
        let rest = whole.filter { item in place(item) > last }.prefix(asked)
        return listing(Array(rest), at: now, place: place)
    }

    /// The place as the number of an item.
    func number() throws -> Int64? {
        guard let place else { return nil }
        guard let number = Int64(place) else { throw Page.unknownCursor }
        return number
    }

    /// The place as a priority and the number of an item.
    func pair() throws -> (Int?, Int64?)? {
        guard let place else { return nil }
        let parts = place.split(separator: " ")
        guard parts.count == 2, let priority = Int32(parts[0]), let number = Int64(parts[1]) else { throw Page.unknownCursor }
        return (Int(priority), number)
    }

    /// The place in a listing with the newest first.
    func listingPlace(_ isID: (String) -> Bool) throws -> ListingPlace? {
        guard let place else { return nil }
        let parts = place.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let microseconds = Int64(parts[0]), abs(microseconds) < 1 << 53, isID(String(parts[1])) else {
            throw Page.unknownCursor
        }
        return ListingPlace(microseconds: microseconds, id: String(parts[1]))
    }

    static func text(_ place: ListingPlace) -> String { "\(place.microseconds) \(place.id)" }

    private static func cursor(_ place: String) -> String {
        Data(place.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static let unknownCursor = RequestFault(
        .badRequest, "the cursor is not one that this listing gave; leave it out for the first page")
}
