// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "stoic",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Stoic", targets: ["Stoic"]),
    .library(name: "StoicJSON", targets: ["StoicJSON"]),
    .library(name: "StoicSchema", targets: ["StoicSchema"]),
    .library(name: "StoicHTTP", targets: ["StoicHTTP"]),
    .library(name: "StoicTesting", targets: ["StoicTesting"]),
    .library(name: "StoicLocalServer", targets: ["StoicLocalServer"]),
    .executable(name: "stoic-demo", targets: ["stoic-demo"]),
    .executable(name: "stoic-bench", targets: ["stoic-bench"]),
  ],
  targets: [
    module("Stoic"),
    module("StoicJSON"),
    module("StoicSchema", ["StoicJSON"]),
    // libcurl, found when a program runs: a build needs nothing of it.
    .target(name: "CCurl"),
    module("StoicHTTP", ["CCurl", "Stoic", "StoicJSON", "StoicSchema"]),
    module("StoicTesting", ["Stoic"]),
    module("StoicLocalServer"),
    .executableTarget(
      name: "stoic-demo",
      dependencies: ["Stoic", "StoicHTTP", "StoicJSON", "StoicLocalServer", "StoicSchema", "StoicTesting"],
      swiftSettings: settings),
    // Takes the place of the program's allocator, so nothing but the benchmarks may link it.
    .target(name: "CAllocations"),
    // What the transport on libcurl is measured against.
    .target(name: "CLibcurlLoop", dependencies: ["CCurl"]),
    .executableTarget(
      name: "stoic-bench",
      dependencies: [
        "CAllocations", "CLibcurlLoop", "Stoic", "StoicHTTP", "StoicJSON", "StoicLocalServer", "StoicSchema",
        "StoicTesting",
      ],
      swiftSettings: settings),

    tests("StoicTests", ["Stoic", "StoicTesting"]),
    tests("StoicJSONTests", ["Stoic", "StoicJSON"]),
    tests("StoicSchemaTests", ["Stoic", "StoicJSON", "StoicSchema"]),
    tests(
      "StoicHTTPTests",
      [
        "CCurl", "Stoic", "StoicHTTP", "StoicJSON", "StoicLocalServer", "StoicSchema", "StoicTesting",
        "stoic-demo",
      ]),
    tests("StoicTestingTests", ["Stoic", "StoicTesting"]),
    tests("StoicLocalServerTests", ["StoicLocalServer"]),
    tests("TidyTests", []),
  ]
)
