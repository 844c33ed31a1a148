/// A coding key of any name, for objects whose members are not known beforehand.
struct MemberName: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}
