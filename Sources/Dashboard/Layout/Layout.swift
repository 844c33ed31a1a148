/// A page of the dashboard: what is different from page to page. `Layout` puts the rest around it.
package protocol DashboardPage: Sendable {
    var title: String { get }
    /// The section of the navigation that the page belongs to; nil for a page outside of it.
    var section: Section? { get }
    /// How often an open page is brought up to date, in seconds; nil for a page that does not change by itself.
    var refreshSeconds: Int? { get }
    var content: HTML { get }
}

extension DashboardPage {
    package var refreshSeconds: Int? { nil }
}

/// A section of the navigation.
package enum Section: CaseIterable, Hashable, Sendable {
    case overview, exports, batches, drafts, workers, deadLetters, tenants, tokens

    var label: String {
        switch self {
        case .overview: "Overview"
        case .exports: "Exports"
        case .batches: "Batches"
        case .drafts: "Drafts"
        case .workers: "Workers"
        case .deadLetters: "Dead letters"
        case .tenants: "Tenants"
        case .tokens: "Tokens"
        }
    }

    var address: Address {
        switch self {
        case .overview: .overview
        case .exports: .exports
        case .batches: .batches
        case .drafts: .drafts
        case .workers: .workers
        case .deadLetters: .deadLetters
        case .tenants: .tenants
        case .tokens: .tokens
        }
    }

    var isForOperators: Bool { self == .tenants || self == .tokens }
}

/// The frame of all pages: the head, the navigation, and the places that the script works with.
package enum Layout {
    /// - Parameter viewer: nil for somebody who has not logged in.
    package static func page(_ page: some DashboardPage, for viewer: Viewer?) -> HTML {
        let main = content(page)
        if viewer?.wantsContentOnly == true { return main }
        return """
            <!doctype html>
            <html lang="en" data-theme="\((viewer?.theme ?? .auto).rawValue)">
            <head>
            <meta charset="utf-8">
            <title>\(page.title) – Spool</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <link rel="stylesheet" href="\(StaticAsset.styles.address)">
            <link rel="icon" href="\(StaticAsset.icon.address)" type="image/svg+xml">
            <script src="\(StaticAsset.script.address)" defer></script>
            </head>
            <body\(when(viewer == nil, " class=\"bare\""))>
            <a class="skip" href="#main">Skip to the content</a>
            \(when(viewer) { header($0, page) })
            \(main)
            <div class="hidden-text" id="announcement" role="status" aria-live="polite"></div>
            </body>
            </html>

            """
    }

    private static func content(_ page: some DashboardPage) -> HTML {
        """
        <main id="main" tabindex="-1" data-title="\(page.title)"\(when(page.refreshSeconds) { " data-refresh=\"\($0)\"" })>
        \(page.content)
        </main>
        """
    }

    private static func header(_ viewer: Viewer, _ page: some DashboardPage) -> HTML {
        let sections = Section.allCases.filter { viewer.isOperator || !$0.isForOperators }
        return """
            <header class="top">
            <a class="brand" href="\(Address.overview)">\(mark)Spool</a>
            <nav aria-label="Sections"><ul>
            \(sections.map { item($0, isCurrent: $0 == page.section) })
            </ul></nav>
            <div class="viewer">
            <p class="who">\(viewer.name)</p>
            <div class="tools">
            <button type="button" class="quiet" id="pause" hidden aria-pressed="false">Pause<span class="more"> updates</span></button>
            \(theme(viewer))
            <a class="quiet more" href="\(Address("docs"))">API</a>
            \(viewer.form(Address("ui", "logout"), "<button type=\"submit\" class=\"quiet\">Log out</button>"))
            </div>
            </div>
            </header>
            """
    }

    private static func item(_ section: Section, isCurrent: Bool) -> HTML {
        """
        <li><a href="\(section.address)"\(when(isCurrent, " aria-current=\"page\""))>\(section.label)</a></li>

        """
    }

    /// Switches to the next theme: as the browser prefers, light, dark.
    private static func theme(_ viewer: Viewer) -> HTML {
        let (next, label): (Viewer.Theme, String) =
            switch viewer.theme {
            case .auto: (.light, "auto")
            case .light: (.dark, "light")
            case .dark: (.auto, "dark")
            }
        return viewer.form(
            Address("ui", "theme"), class: "inline theme",
            "<button type=\"submit\" class=\"quiet\" name=\"theme\" value=\"\(next.rawValue)\">Colours: \(label)</button>")
    }

    /// The mark of the program: a reel.
    static let mark: HTML = """
        <svg viewBox="0 0 24 24" aria-hidden="true" class="mark"><circle cx="12" cy="12" r="10.5"/>\
        <circle cx="12" cy="6.5" r="2.6"/><circle cx="6.8" cy="15" r="2.6"/><circle cx="17.2" cy="15" r="2.6"/></svg>
        """
}
