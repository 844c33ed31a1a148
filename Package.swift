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

/// A library target of this package, compiled strictly.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// Targets whose tests compare with files under `Snapshots/`.
let snapshotted: Set<String> = ["DraftCompiler"]

/// The tests of one target; all share `TestSupport`.
func tests(_ target: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(target)Tests",
        dependencies: [.byName(name: target), "TestSupport"] + dependencies,
        exclude: snapshotted.contains(target) ? ["Snapshots"] : [],
        swiftSettings: strict)
}

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// The programs carry Swift's own libraries: they start faster, and machines of a farm need no Swift
/// (docs/decisions/0008-swift-in-the-program.md). Foundation's parts have to be named.
let ownSwift: [LinkerSetting] = [
    .unsafeFlags([
        "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections",
        "-lFoundationEssentials", "-lFoundationInternationalization", "-lswiftSynchronization", "-lswift_RegexParser",
    ])
]

let package = Package(
    name: "spool",
    products: [
        .executable(name: "spool", targets: ["spool"]), .executable(name: "spool-render", targets: ["spool-render"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .systemLibrary(name: "CFFmpeg", providers: [.apt(["libavformat-dev", "libavfilter-dev", "libswscale-dev"])]),
        .systemLibrary(name: "CWebP", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CHeif", providers: [.apt(["libheif-dev"])]),
        .systemLibrary(name: "CRubberBand", providers: [.apt(["librubberband-dev"])]),
        .systemLibrary(name: "CEbur128", providers: [.apt(["libebur128-dev"])]),
        // SwiftPM says that it leaves out pkg-config's -pthread, which nothing here needs.
        .systemLibrary(
            name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
        .systemLibrary(name: "CAss", providers: [.apt(["libass-dev"])]),
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
        .target(name: "CPixelKernels"),
        .target(name: "CLibavLog"),
        .target(name: "CProcessIsolation"),
        // Reads frei0r.h, of Debian's frei0r-plugins-dev.
        .target(name: "CPlugins"),

        library("ExactTime"),
        library("ContentHashing", [crypto]),
        library("OwnedFiles", ["ContentHashing"]),
        library("Spelling"),
        library("TerminalText"),
        library("Vocabulary"),
        library("DraftModel", ["ExactTime", "Spelling", "Vocabulary"]),
        library("ExportPlan", ["ExactTime", "Vocabulary"]),
        library(
            "DraftCompiler",
            [
                "DraftModel", "Operations", "Vocabulary", "VectorPaths", "Spelling", "ExportPlan", "ExactTime", "ContentHashing",
            ]),
        library("Media", ["CFFmpeg", "CWebP", "CHeif", "CLibavLog", "ExportPlan", "Vocabulary", "ExactTime", "ContentHashing"]),
        library("Operations", ["CPixelKernels", "ExportPlan", "ExactTime", "Spelling"]),
        library("Captions", ["CAss", "Lettering", "Vocabulary", "ExportPlan", "ExactTime"]),
        library("Documents", ["Captions", "Lettering", "Operations", "Media", "ExportPlan", "ExactTime", "ContentHashing"]),
        library("Plugins", ["CPlugins", "Operations", "Spelling", "ContentHashing", "ExportPlan", "ExactTime"]),
        library(
            "Compositor",
            [
                "CPixelKernels", "Operations", "Documents", "Captions", "Plugins", "Vocabulary", "Lettering", "Media",
                "ExportPlan",
                "ExactTime",
            ]),
        library("Soundtrack", ["CRubberBand", "CEbur128", "Media", "ExportPlan", "Vocabulary", "ExactTime"]),
        library("VectorPaths", ["ExportPlan"]),
        library("Lettering", ["CPango", "VectorPaths", "Vocabulary", "ContentHashing", "ExportPlan"]),
        library("ArtifactStore", ["OwnedFiles", "ExportPlan", "ContentHashing"]),
        library("RenderMessages", ["ExportPlan"]),
        library("ProcessIsolation", ["CProcessIsolation"]),
        library(
            "Rendering",
            [
                "RenderMessages", "ProcessIsolation", "Compositor", "Lettering", "Captions", "Plugins", "Soundtrack",
                "Documents", "Media", "ArtifactStore", "Vocabulary",
                "ExportPlan", "ExactTime", "ContentHashing",
            ]),
        library(
            "RenderingProcesses",
            [
                "RenderMessages", "ArtifactStore", "ExportPlan", "ContentHashing", "OwnedFiles", "TerminalText", subprocess,
                systemPackage,
            ]),
        library("BlockingWork"),
        library("Postgres", ["CPostgres", "BlockingWork"]),
        library("Redis", ["CHiredis", "BlockingWork"]),
        library("JobQueue", ["Redis", "ExportPlan"]),
        .target(
            name: "Migrations", dependencies: [], path: "migrations", exclude: ["schema.sql"],
            resources: [
                .embedInCode("0001_farm.sql"), .embedInCode("0002_job_logs_and_indexes.sql"),
                .embedInCode("0003_animated_pictures.sql"), .embedInCode("0004_bitrate_jobs.sql"),
                .embedInCode("0005_light_metadata.sql"), .embedInCode("0006_recordings.sql"),
                .embedInCode("0007_packet_facts.sql"), .embedInCode("0008_warnings.sql"),
            ],
            swiftSettings: strict),
        library(
            "Coordinator",
            [
                "JobQueue", "Postgres", "Migrations", "Recorder", "DraftCompiler", "DraftModel", "ExportPlan", "ExactTime",
                "BlockingWork", "ContentHashing", logging,
            ]),
        library(
            "Worker",
            [
                "JobQueue", "RenderingProcesses", "RenderMessages", "ArtifactStore", "BlockingWork", "ContentHashing",
                "ExportPlan", logging,
            ]),
        library("LocalServers", [subprocess, systemPackage, logging]),
        library("FarmSettings", [yams]),
        library("FarmAPI", ["Coordinator", "JobQueue", "Recorder", "DraftModel", "ExportPlan"]),
        library(
            "HTTPAPI",
            [
                "FarmAPI", "Coordinator", "JobQueue", "Recorder", "DraftCompiler", "DraftModel", "ExportPlan", "ArtifactStore",
                "OwnedFiles", "ContentHashing", "BlockingWork", crypto, hummingbird, hummingbirdCore, httpTypes, logging,
                nioCore, nioHTTP1, serviceLifecycle,
            ]),
        library(
            "FarmClient",
            [
                "FarmAPI", "Coordinator", "JobQueue", "Recorder", "DraftCompiler", "DraftModel", "ExportPlan", "Vocabulary",
                "ContentHashing", "OwnedFiles", "BlockingWork", asyncHTTPClient, nioCore, nioHTTP1,
            ]),
        library("Recorder", ["DraftModel", "ExportPlan", "ExactTime", "Vocabulary"]),
        library("SampleMedia", ["Media", "ExportPlan", "Vocabulary", "ExactTime"]),
        .executableTarget(
            name: "spool-render",
            dependencies: [
                "Rendering", "RenderMessages", "Lettering", "Plugins", "SampleMedia", "Media", "ExportPlan", "ExactTime",
                argumentParser,
            ],
            swiftSettings: strict, linkerSettings: ownSwift),
        .executableTarget(
            name: "spool",
            dependencies: [
                "RenderingProcesses", "RenderMessages", "DraftCompiler", "DraftModel", "ExportPlan", "ArtifactStore",
                "Operations", "OwnedFiles", "Recorder", "Spelling", "TerminalText", "Vocabulary",
                "ExactTime", "ContentHashing", "JobQueue", "Coordinator", "Worker", "HTTPAPI", "FarmAPI", "FarmClient",
                "FarmSettings", "LocalServers", "ProcessIsolation", "Postgres", "Redis", argumentParser, hummingbird, logging,
                serviceLifecycle,
                unixSignals, subprocess, systemPackage,
            ],
            swiftSettings: strict, linkerSettings: ownSwift),

        .target(
            name: "TestSupport",
            dependencies: ["SampleMedia", "Media", "DraftModel", "ExportPlan", "ExactTime", subprocess, systemPackage],
            path: "Tests/TestSupport", swiftSettings: strict),
        tests("ExactTime"),
        tests("TerminalText"),
        tests("OwnedFiles"),
        tests("DraftModel", ["ExactTime", "Vocabulary"]),
        tests("ExportPlan", ["Vocabulary", "ExactTime"]),
        tests("DraftCompiler", ["Vocabulary", "DraftModel", "ExportPlan", "ExactTime"]),
        tests("Recorder", ["DraftModel", "ExportPlan", "ExactTime", "Vocabulary"]),
        tests("Media", ["SampleMedia", "ExportPlan", "Vocabulary", "ExactTime", "ContentHashing"]),
        tests("Operations", ["ExportPlan", "ExactTime"]),
        tests("Captions", ["Lettering", "ContentHashing", "Vocabulary", "ExportPlan", "ExactTime"]),
        tests("Documents", ["Captions", "Operations", "Media", "ExportPlan", "ContentHashing"]),
        tests("Plugins", ["Operations", "Media", "ExportPlan", "ExactTime", "ContentHashing"]),
        tests(
            "Compositor",
            [
                "Vocabulary", "DraftModel", "DraftCompiler", "Lettering", "SampleMedia", "Documents", "Media", "ExportPlan",
                "ExactTime",
            ]),
        tests(
            "Soundtrack",
            ["Vocabulary", "SampleMedia", "Media", "DraftModel", "DraftCompiler", "ExportPlan", "ExactTime"]),
        tests("VectorPaths", ["ExportPlan"]),
        tests("Lettering", ["ContentHashing", "Vocabulary", "ExportPlan", subprocess]),
        tests("ArtifactStore", ["ExportPlan"]),
        tests("RenderingProcesses", ["RenderMessages", "ExactTime", "ExportPlan"]),
        tests("BlockingWork"),
        tests("Postgres", [subprocess, systemPackage]),
        tests("Redis", [subprocess, systemPackage]),
        tests("JobQueue", ["Redis", "Vocabulary", "ExportPlan", "ExactTime", "ContentHashing"]),
        tests(
            "Coordinator",
            [
                "JobQueue", "Postgres", "Migrations", "Recorder", "DraftModel", "ExportPlan", "Vocabulary", "ExactTime",
                "ContentHashing", logging,
            ]),
        tests(
            "Worker",
            ["JobQueue", "Redis", "RenderingProcesses", "ArtifactStore", "ExportPlan", "ContentHashing", logging]),
        tests("FarmAPI"),
        tests(
            "HTTPAPI",
            [
                "FarmAPI", "Coordinator", "JobQueue", "Recorder", "DraftModel", "ExportPlan", "ExactTime", "ArtifactStore",
                "BlockingWork", "ContentHashing", "OwnedFiles", hummingbird, hummingbirdTesting, httpTypes, logging, nioCore,
                nioEmbedded,
            ]),
        tests(
            "FarmClient",
            [
                "FarmAPI", "HTTPAPI", "Coordinator", "JobQueue", "DraftModel", "ExportPlan", "ArtifactStore",
                "ContentHashing", hummingbird, hummingbirdTesting, httpTypes, nioCore, subprocess, systemPackage,
            ]),
        tests("FarmSettings"),
        .testTarget(
            name: "FarmTests",
            dependencies: [
                "TestSupport", "Coordinator", "LocalServers", "Postgres", "JobQueue", "ExportPlan",
                "ContentHashing",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "TestSupport", "SampleMedia", "Media", "ExportPlan", "ExactTime", "ContentHashing", subprocess,
            ],
            exclude: ["Snapshots"], swiftSettings: strict),
    ]
)
