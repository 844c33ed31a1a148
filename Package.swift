// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is compiled in Swift 6 mode with the same strictness; a warning is an error.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Reading options, printing results and tests that wait for processes gain nothing from the optimizer, which takes two
/// thirds of the compile time.
let plain: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

/// The commit that `spool --version` prints, set by the Makefile. The name has no SPOOL_, because `spool` warns of
/// variables with this prefix that it does not know. A build without it says that the commit is unknown.
let commit = Context.environment["BUILD_COMMIT"].flatMap { $0.isEmpty ? nil : $0 }

/// A library target of this package, compiled strictly.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A C library that Debian's packages bring, as Swift sees it: a module map and a header in `Sources/C`.
func system(_ name: String, _ packages: String..., pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt(packages)])
}

/// C of this package, in `Sources/C`.
func shim(_ name: String) -> Target {
    .target(name: name, path: "Sources/C/\(name)")
}

/// Targets whose tests compare with files under `Snapshots/`.
let snapshotted: Set<String> = ["DraftCompiler"]

/// Targets whose tests calculate pictures, sounds or whole farms beside the program, for which they need the optimizer.
let calculating: Set<String> = [
    "Compositor", "ExactTime", "Media", "Operations", "Plugins", "S3Store", "Scheduling", "Soundtrack", "TextRendering",
]

/// The tests of one target; all share `TestSupport`.
func tests(_ target: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(target)Tests",
        dependencies: [.byName(name: target), "TestSupport"] + dependencies,
        exclude: snapshotted.contains(target) ? ["Snapshots"] : [],
        swiftSettings: calculating.contains(target) ? strict : strict + plain)
}

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let heapModule = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let inMemoryLogging = Target.Dependency.product(name: "InMemoryLogging", package: "swift-log")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let instrumentation = Target.Dependency.product(name: "Instrumentation", package: "swift-distributed-tracing")

/// The programs are linked statically with Swift's own libraries, so that they start faster and a farm's machines need
/// no Swift (docs/decisions/0008-swift-in-the-program.md). Foundation's libraries have to be listed.
let ownSwift: [LinkerSetting] = [
    .unsafeFlags([
        "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections",
        "-lFoundationEssentials", "-lFoundationInternationalization", "-lswiftSynchronization", "-lswift_RegexParser",
    ])
]

let package = Package(
    name: "spool",
    products: [
        .executable(name: "spool", targets: ["spool"]),
        .executable(name: "spool-render", targets: ["spool-render"]),
        .executable(name: "spool-coordinator", targets: ["spool-coordinator"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
    ],
    targets: [
        // C libraries of Debian, and C of this package (Sources/C).
        system("CFFmpeg", "libavformat-dev", "libavfilter-dev", "libswscale-dev"),
        system("CWebP", "libwebp-dev"),
        system("CHeif", "libheif-dev"),
        system("CLcms", "liblcms2-dev", pkgConfig: "lcms2"),
        system("CRubberBand", "librubberband-dev"),
        system("CEbur128", "libebur128-dev"),
        // SwiftPM warns that it leaves out pkg-config's -pthread, which is not needed here.
        system("CPango", "libpango1.0-dev", "libcairo2-dev", pkgConfig: "pangocairo"),
        system("CRsvg", "librsvg2-dev", pkgConfig: "librsvg-2.0"),
        system("CAss", "libass-dev"),
        system("CLilv", "liblilv-dev", pkgConfig: "lilv-0"),
        system("CHiredis", "libhiredis-dev"),
        system("CYaml", "libyaml-dev", pkgConfig: "yaml-0.1"),
        system("CExpat", "libexpat1-dev", pkgConfig: "expat"),
        // They load libcrypto, libpq, libcurl and rlottie with their first use, by the macros in Sources/C/LibraryLoading;
        // the libraries' own headers are in Debian's libssl-dev, libpq-dev, libcurl4-openssl-dev and librlottie-dev.
        shim("CCrypto"),
        shim("CTLS"),
        shim("CPostgres"),
        shim("CCurl"),
        shim("CRlottie"),
        shim("CPixelKernels"),
        shim("CLibavLog"),
        shim("CProcessIsolation"),
        .target(name: "CCommit", path: "Sources/C/CCommit", cSettings: commit.map { [.define("SPOOL_COMMIT", to: $0)] }),
        // It reads frei0r.h from Debian's frei0r-plugins-dev, and ladspa.h from ladspa-sdk.
        shim("CPlugins"),

        // From a draft to a plan.
        library("ExactTime"),
        library("Vocabulary"),
        library("ContentHashing", ["CCrypto"]),
        library("DraftModel", ["ExactTime", "Vocabulary"]),
        library("ExportPlan", ["ExactTime", "Vocabulary"]),
        library("Operations", ["CPixelKernels", "ExportPlan", "ExactTime", "Vocabulary"]),
        library(
            "DraftCompiler",
            ["DraftModel", "Operations", "ExportPlan", "ExactTime", "Vocabulary", "ContentHashing"]),
        library("Recorder", ["DraftModel", "ExportPlan", "ExactTime", "Vocabulary"]),

        // From a plan to pictures, sound and files.
        library(
            "Media",
            [
                "CFFmpeg", "CWebP", "CHeif", "CLcms", "CRlottie", "CLibavLog", "TextRendering", "ExportPlan", "Vocabulary",
                "ExactTime",
                "ContentHashing",
            ]),
        library("SampleMedia", ["Media", "ExportPlan", "Vocabulary", "ExactTime"]),
        library("Plugins", ["CPlugins", "CLilv", "Operations", "ExportPlan", "ExactTime", "Vocabulary", "ContentHashing"]),
        library("TextRendering", ["CPango", "CRsvg", "CAss", "ExportPlan", "ExactTime", "Vocabulary", "ContentHashing"]),
        library(
            "Compositor",
            [
                "CPixelKernels", "Operations", "Plugins", "TextRendering", "Media", "ExportPlan", "ExactTime", "Vocabulary",
                "ContentHashing",
            ]),
        library("Soundtrack", ["CRubberBand", "CEbur128", "Media", "ExportPlan", "Vocabulary", "ExactTime"]),
        library("BlockingWork"),
        library("ArtifactStore", ["ExportPlan", "ContentHashing", "BlockingWork"]),
        library("ProcessIsolation", ["CProcessIsolation"]),
        library(
            "Rendering",
            [
                "Compositor", "Soundtrack", "Plugins", "TextRendering", "Media", "Streaming", "ArtifactStore", "ProcessIsolation",
                "ExportPlan", "ExactTime", "Vocabulary", "ContentHashing",
            ]),
        library(
            "RenderingProcesses",
            ["ArtifactStore", "ExportPlan", "ContentHashing", "ProcessIsolation", "Vocabulary", subprocess, systemPackage]),

        // The farm.
        library("Postgres", ["CPostgres", "BlockingWork"]),
        library("Redis", ["CHiredis", "CTLS", "BlockingWork"]),
        library("HTTPClient", ["CCurl", "BlockingWork"]),
        library(
            "Telemetry",
            ["HTTPClient", "ContentHashing", "BlockingWork", coreMetrics, tracing, instrumentation, logging]),
        library(
            "S3Store",
            ["CExpat", "ExportPlan", "Vocabulary", "ArtifactStore", "HTTPClient", "ContentHashing", "BlockingWork"]),
        library(
            "RemoteSources", ["ExportPlan", "Vocabulary", "ArtifactStore", "HTTPClient", "S3Store", "ContentHashing"]),
        library("FarmAPI", ["Recorder", "DraftModel", "ExportPlan", "Vocabulary"]),
        library("JobQueue", ["FarmAPI", "Redis", "ExportPlan", "ContentHashing"]),
        library("Scheduling", ["FarmAPI", "ExportPlan", heapModule]),
        .target(
            name: "Migrations", dependencies: [], path: "migrations", exclude: ["schema.sql"],
            resources: [
                .embedInCode("0001_farm.sql"), .embedInCode("0002_job_logs_and_indexes.sql"),
                .embedInCode("0003_animated_pictures.sql"), .embedInCode("0004_bitrate_jobs.sql"),
                .embedInCode("0005_light_metadata.sql"), .embedInCode("0006_recordings.sql"),
                .embedInCode("0007_packet_facts.sql"), .embedInCode("0008_warnings.sql"),
                .embedInCode("0009_farm_identity.sql"), .embedInCode("0010_compile_attempts.sql"),
                .embedInCode("0011_words.sql"), .embedInCode("0012_field_names.sql"), .embedInCode("0013_lead.sql"),
                .embedInCode("0014_history.sql"), .embedInCode("0015_queue_counts.sql"),
                .embedInCode("0016_cost_models.sql"), .embedInCode("0017_job_demand.sql"),
                .embedInCode("0018_priority_cap.sql"), .embedInCode("0019_placement.sql"),
                .embedInCode("0020_fewer_indexes.sql"),
                .embedInCode("0021_faults.sql"), .embedInCode("0022_remote_sources.sql"),
                .embedInCode("0023_backlog.sql"),
                .embedInCode("0024_export_tags.sql"), .embedInCode("0025_batches.sql"),
                .embedInCode("0026_webhooks.sql"), .embedInCode("0027_publications.sql"),
                .embedInCode("0028_batch_webhooks.sql"),
                .embedInCode("0029_removed_films.sql"),
                .embedInCode("0030_keyed_answers.sql"), .embedInCode("0031_worker_tokens.sql"),
                .embedInCode("0032_pictures.sql"), .embedInCode("0033_interlaced_sources.sql"),
                .embedInCode("0034_streams.sql"), .embedInCode("0035_picture_profiles.sql"),
                .embedInCode("0036_dead_letters.sql"), .embedInCode("0037_token_life.sql"),
                .embedInCode("0038_admin_log.sql"), .embedInCode("0039_quotas.sql"),
                .embedInCode("0040_job_quota.sql"),
                .embedInCode("0041_farm_store.sql"), .embedInCode("0042_urgent_exports.sql"),
            ],
            swiftSettings: strict),
        library(
            "Coordinator",
            [
                "FarmAPI", "JobQueue", "Scheduling", "Postgres", "Migrations", "Recorder", "ArtifactStore", "DraftCompiler",
                "DraftModel", "ExportPlan", "ExactTime", "Vocabulary", "BlockingWork", "ContentHashing", "Provenance",
                "Telemetry", tracing, instrumentation,
                logging,
            ]),
        library(
            "Deliveries",
            [
                "FarmAPI", "Coordinator", "JobQueue", "HTTPClient", "S3Store", "ArtifactStore", "BlockingWork", "Vocabulary",
                "ExportPlan", "ContentHashing", logging,
            ]),
        library(
            "Worker",
            [
                "FarmAPI", "JobQueue", "RenderingProcesses", "ArtifactStore", "RemoteSources", "BlockingWork", "ContentHashing",
                "ExportPlan", "Telemetry", tracing, instrumentation, logging,
            ]),
        // Pages for people: values in, markup out. It knows no server.
        .target(
            name: "Dashboard",
            dependencies: ["FarmAPI", "DraftModel", "ExportPlan", "ExactTime", "Vocabulary", "ContentHashing"],
            resources: [
                .embedInCode("Assets/dashboard.css"), .embedInCode("Assets/dashboard.js"), .embedInCode("Assets/icon.svg"),
            ],
            swiftSettings: strict),
        library(
            "HTTPAPI",
            [
                "Dashboard", "FarmAPI", "Coordinator", "JobQueue", "Recorder", "DraftCompiler", "DraftModel", "ExportPlan",
                "ExactTime",
                "ArtifactStore", "Streaming", "Provenance", "ContentHashing", "BlockingWork", "Vocabulary", "Telemetry", tracing,
                instrumentation, hummingbird, hummingbirdCore, httpTypes, logging, nioCore,
                nioHTTP1, nioSSL, serviceLifecycle,
            ]),
        // The page of `spool preview` and its server, which runs in spool-coordinator.
        .target(
            name: "PreviewServer",
            dependencies: ["ContentHashing", hummingbird, hummingbirdCore, httpTypes, logging, nioCore, nioHTTP1],
            resources: [
                .embedInCode("Assets/preview.html"), .embedInCode("Assets/preview.css"), .embedInCode("Assets/icon.svg"),
                .embedInCode("Assets/preview.js"), .embedInCode("Assets/player.js"), .embedInCode("Assets/track.js"),
                .embedInCode("Assets/timeline.js"), .embedInCode("Assets/drawing.js"), .embedInCode("Assets/lists.js"),
                .embedInCode("Assets/keys.js"), .embedInCode("Assets/timecode.js"),
            ],
            swiftSettings: strict),
        library(
            "FarmClient",
            [
                "FarmAPI", "Recorder", "DraftCompiler", "DraftModel", "ExportPlan", "Vocabulary", "ContentHashing",
                "ArtifactStore", "BlockingWork", "HTTPClient",
            ]),
        library("Streaming"),
        library("Provenance", ["ContentHashing"]),
        library("LocalFarm", ["CYaml", "Vocabulary", subprocess, systemPackage, logging]),

        // The programs.
        .target(
            name: "CommandLineInterface",
            dependencies: [
                "CCommit", "ArtifactStore", "Coordinator", "DraftModel", "ExportPlan", "HTTPClient", "JobQueue", "LocalFarm",
                "Redis",
                "RemoteSources", "S3Store", "Telemetry", "Vocabulary", argumentParser, coreMetrics, instrumentation, logging,
            ],
            swiftSettings: strict + plain),
        .executableTarget(
            name: "spool-render",
            dependencies: [
                "Rendering", "TextRendering", "Plugins", "SampleMedia", "Media", "ProcessIsolation", "Vocabulary", "ExportPlan",
                "ExactTime", argumentParser,
            ],
            swiftSettings: strict, linkerSettings: ownSwift),
        .executableTarget(
            name: "spool",
            dependencies: [
                "CommandLineInterface", "Provenance", "RenderingProcesses", "DraftCompiler", "DraftModel",
                "ExportPlan",
                "ArtifactStore", "Streaming", "Operations", "Recorder", "BlockingWork", "Vocabulary", "ExactTime",
                "ContentHashing", "JobQueue", "Coordinator", "Worker", "FarmAPI", "FarmClient", "LocalFarm",
                "ProcessIsolation", "Postgres", "Redis", "RemoteSources", "S3Store", "HTTPClient", "Telemetry", argumentParser,
                logging,
                subprocess,
                systemPackage,
            ],
            swiftSettings: strict + plain, linkerSettings: ownSwift),
        // Only this program has the HTTP server (docs/decisions/0025-coordinator-program.md).
        .executableTarget(
            name: "spool-coordinator",
            dependencies: [
                "CommandLineInterface", "HTTPAPI", "Deliveries", "Coordinator", "HTTPClient", "RemoteSources", "FarmAPI",
                "ExportPlan", "ArtifactStore", "S3Store", "BlockingWork",
                "JobQueue", "LocalFarm", "Postgres", "PreviewServer", "Telemetry", "ProcessIsolation",
                argumentParser, hummingbird, logging, nioCore, serviceLifecycle, unixSignals,
            ],
            swiftSettings: strict + plain, linkerSettings: ownSwift),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: [
                "SampleMedia", "Media", "DraftModel", "ExportPlan", "ExactTime", "ArtifactStore", "S3Store", "BlockingWork",
                subprocess, systemPackage,
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        .target(
            name: "TestServer",
            dependencies: [hummingbird, hummingbirdCore, httpTypes, nioCore, nioEmbedded, serviceLifecycle, logging],
            path: "Tests/TestServer", swiftSettings: strict),
        tests("ExactTime"),
        tests("ContentHashing"),
        tests("Vocabulary"),
        tests("DraftModel", ["ExactTime", "Vocabulary"]),
        tests("ExportPlan", ["Vocabulary", "ExactTime", "ContentHashing"]),
        tests("DraftCompiler", ["Vocabulary", "DraftModel", "ExportPlan", "ExactTime"]),
        tests("Recorder", ["DraftModel", "ExportPlan", "ExactTime", "Vocabulary"]),
        tests("Media", ["SampleMedia", "TextRendering", "ExportPlan", "Vocabulary", "ExactTime", "ContentHashing"]),
        tests("Operations", ["ExportPlan", "ExactTime"]),
        tests("TextRendering", ["ContentHashing", "Vocabulary", "ExportPlan", "ExactTime", subprocess]),
        tests("Plugins", ["Operations", "Media", "ExportPlan", "ExactTime", "ContentHashing"]),
        tests(
            "Compositor",
            [
                "Operations", "Vocabulary", "DraftModel", "DraftCompiler", "TextRendering", "SampleMedia", "Media",
                "ExportPlan", "ExactTime", "ContentHashing",
            ]),
        tests(
            "Soundtrack",
            ["Vocabulary", "SampleMedia", "Media", "DraftModel", "DraftCompiler", "ExportPlan", "ExactTime"]),
        tests("ArtifactStore", ["ExportPlan"]),
        tests("RenderingProcesses", ["ProcessIsolation", "ExactTime", "ExportPlan"]),
        tests("BlockingWork"),
        tests("Postgres", ["BlockingWork", subprocess, systemPackage]),
        tests("Redis", [subprocess, systemPackage]),
        tests("HTTPClient", ["TestServer", hummingbird, nioCore]),
        tests(
            "S3Store",
            [
                "ArtifactStore", "ExportPlan", "ContentHashing", "HTTPClient", "BlockingWork", "TestServer", hummingbird,
                httpTypes,
                nioCore, subprocess, systemPackage,
            ]),
        tests(
            "RemoteSources",
            [
                "ArtifactStore", "S3Store", "ExportPlan", "ContentHashing", "HTTPClient", "TestServer", hummingbird, httpTypes,
                nioCore,
            ]),
        tests("Streaming"),
        tests("Provenance", ["ContentHashing"]),
        tests("JobQueue", ["FarmAPI", "Redis", "Vocabulary", "ExportPlan", "ExactTime", "ContentHashing"]),
        tests("Scheduling", ["FarmAPI", "ExportPlan", heapModule]),
        tests(
            "Coordinator",
            [
                "FarmAPI", "JobQueue", "Scheduling", "Postgres", "Migrations", "Recorder", "DraftCompiler", "DraftModel",
                "ExportPlan", "ArtifactStore", "Vocabulary", "ExactTime", "ContentHashing", logging, inMemoryLogging,
            ]),
        tests(
            "Deliveries",
            [
                "FarmAPI", "Coordinator", "JobQueue", "HTTPClient", "S3Store", "ArtifactStore", "ExportPlan", "ExactTime",
                "Vocabulary",
                "ContentHashing", "BlockingWork", "TestServer", hummingbird, httpTypes, nioCore, logging,
            ]),
        tests(
            "Worker",
            [
                "FarmAPI", "JobQueue", "Redis", "RenderingProcesses", "ArtifactStore", "ExportPlan", "ExactTime", "Vocabulary",
                "ContentHashing", logging,
            ]),
        tests("FarmAPI", ["DraftModel"]),
        tests("Dashboard", ["FarmAPI", "DraftModel", "ExportPlan", "ExactTime"]),
        tests("PreviewServer", ["HTTPClient", "TestServer", hummingbird, httpTypes, nioCore]),
        tests(
            "Telemetry",
            [
                "HTTPClient", "TestServer", hummingbird, nioCore, coreMetrics, tracing, instrumentation, logging,
            ]),
        tests(
            "HTTPAPI",
            [
                "Dashboard", "FarmAPI", "Coordinator", "Scheduling", "JobQueue", "Recorder", "DraftModel", "ExportPlan",
                "ExactTime", "Provenance",
                "ArtifactStore", "S3Store", "BlockingWork", "ContentHashing", "Vocabulary", "TestServer", hummingbird, httpTypes,
                logging,
                inMemoryLogging, nioCore, nioEmbedded,
            ]),
        tests(
            "FarmClient",
            [
                "FarmAPI", "HTTPAPI", "HTTPClient", "Coordinator", "Scheduling", "JobQueue", "DraftModel", "ExportPlan",
                "ArtifactStore",
                "ContentHashing", "TestServer", hummingbird, httpTypes, nioCore, subprocess, systemPackage,
            ]),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["TestSupport", "Coordinator", "JobQueue", "Scheduling", "FarmAPI", "ExportPlan", logging],
            swiftSettings: strict),
        .testTarget(
            name: "FarmSettingsTests", dependencies: ["LocalFarm", "TestSupport"], swiftSettings: strict + plain),
        .testTarget(
            name: "FarmTests",
            dependencies: [
                "TestSupport", "FarmAPI", "Coordinator", "LocalFarm", "Postgres", "JobQueue", "ExportPlan", "ContentHashing",
                "ArtifactStore", "S3Store", "ProcessIsolation",
            ],
            swiftSettings: strict + plain),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "TestSupport", "SampleMedia", "Media", "ExportPlan", "ExactTime", "Vocabulary", "ContentHashing", subprocess,
            ],
            exclude: ["Snapshots"], swiftSettings: strict + plain),
    ]
)

// libFuzzer brings its own main function, so only `make fuzz-readers` builds this program.
if Context.environment["SPOOL_BUILD_FUZZERS"] != nil {
    package.products.append(.executable(name: "spool-fuzz", targets: ["spool-fuzz"]))
    package.targets.append(
        .executableTarget(
            name: "spool-fuzz",
            dependencies: [
                "DraftModel", "ExportPlan", "FarmAPI", "FarmClient", "Streaming", "JobQueue", "Operations", "TextRendering",
            ],
            path: "Tests/Fuzz/Sources", swiftSettings: strict))
}
