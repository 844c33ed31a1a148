import Testing
import Vocabulary

@Suite("A list with named columns")
struct ListTableTests {
    private struct Fruit: Equatable {
        var name: String
        var weight: Int?
        var age: Int
    }

    private static var table: ListTable<Fruit> {
        ListTable([
            ListColumn("fruit") { .text($0.name) },
            ListColumn("weight") { $0.weight.map { .number($0, shown: "\($0) g") } ?? .missing },
            ListColumn("days-old", isDefault: false) {
                ListValue(shown: "\($0.age) d", exact: "day \(10 - $0.age)", number: Double($0.age), isKnownAsShown: false)
            },
        ])
    }
    private static let fruits = [
        Fruit(name: "plum", weight: 40, age: 3), Fruit(name: "melon", weight: 900, age: 1),
        Fruit(name: "fig, \"dried\"", weight: nil, age: 2), Fruit(name: "apple", weight: 200, age: 3),
    ]

    private func request(_ change: (inout ListRequest) -> Void) -> ListRequest {
        var request = ListRequest()
        change(&request)
        return request
    }

    @Test("A table has the default columns, or those that are asked for in their order")
    func columns() {
        #expect(
            Self.table.table(Array(Self.fruits.prefix(2)), ListRequest()) == [
                "FRUIT  WEIGHT", "plum     40 g", "melon   900 g",
            ])
        let chosen = Self.table.table(Array(Self.fruits.prefix(1)), request { $0.columns = ["days-old", "fruit"] })
        #expect(chosen == ["DAYS OLD  FRUIT", "     3 d  plum"])
    }

    @Test("CSV has exact values, and quotes what needs it")
    func csv() {
        #expect(
            Self.table.csv(Self.fruits, ListRequest()) == [
                "fruit,weight", "plum,40", "melon,900", "\"fig, \"\"dried\"\"\",", "apple,200",
            ])
        let evil = Self.table.csv([Fruit(name: "a\u{1B}[2J\nb", weight: 1, age: 0)], ListRequest())
        #expect(evil == ["fruit,weight", #"a\u001B[2J\nb,1"#], "\(evil)")
    }

    @Test("Lines are sorted by number or text, equal ones stay in order, and those without a value come last")
    func sorting() {
        func names(_ column: String, _ isDescending: Bool) -> [String] {
            Self.table.sorted(
                Self.fruits,
                request {
                    $0.sorting = column
                    $0.isDescending = isDescending
                }
            ).map { String($0.name.prefix(3)) }
        }
        #expect(names("weight", false) == ["plu", "app", "mel", "fig"])
        #expect(names("weight", true) == ["mel", "app", "plu", "fig"])
        #expect(names("fruit", false) == ["app", "fig", "mel", "plu"])
        #expect(names("days-old", true) == ["plu", "app", "fig", "mel"])
    }

    @Test("Filters take values for people and for programs, and all have to match")
    func filters() {
        func names(_ filters: [(String, String)]) -> [String] {
            let filters = filters.map { ListRequest.Filter(column: $0.0, value: $0.1) }
            return Self.fruits.filter { Self.table.matches($0, filters) }.map(\.name)
        }
        #expect(names([("weight", "40 g")]) == ["plum"] && names([("weight", "40")]) == ["plum"])
        #expect(names([("weight", "")]).count == 1)
        #expect(names([("days-old", "day 7")]) == ["plum", "apple"])
        #expect(names([("days-old", "3 d")]).isEmpty, "an age changes from one moment to the next")
        #expect(names([("days-old", "day 7"), ("fruit", "apple")]) == ["apple"])
    }

    @Test("An unknown column is named with those that there are")
    func unknown() {
        let known = "there are fruit, weight, days-old"
        #expect(
            Self.table.fault(of: request { $0.sorting = "size" }) == "--sort knows no column 'size'; \(known)")
        #expect(
            Self.table.fault(of: request { $0.columns = ["fruit", ""] }) == "--columns knows no column ''; \(known)")
        #expect(
            Self.table.fault(of: request { $0.filters = [.init(column: "FRUIT", value: "x")] })
                == "--filter knows no column 'FRUIT'; \(known)")
        #expect(
            Self.table.fault(of: request { $0.columns = ["fruit", "weight", "fruit"] })
                == "--columns names 'fruit' twice; name it once")
        #expect(
            Self.table.fault(of: request { $0.columns = [] }) == "--columns takes names with commas between; \(known)")
        #expect(Self.table.fault(of: request { $0.columns = ["weight"] }) == nil)
    }
}
