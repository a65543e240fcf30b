// swift-tools-version: 6.3
import PackageDescription

// Built in a copy: Sources is the library's own with the bugs planted, and what looks for them.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "planted",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "CCurl"),
    .target(name: "Stoic", swiftSettings: settings),
    .target(name: "StoicJSON", swiftSettings: settings),
    .target(name: "StoicSchema", dependencies: ["StoicJSON"], swiftSettings: settings),
    .target(
      name: "StoicHTTP", dependencies: ["CCurl", "Stoic", "StoicJSON", "StoicSchema"], swiftSettings: settings
    ),
    .target(name: "StoicTesting", dependencies: ["Stoic"], swiftSettings: settings),
    .executableTarget(
      name: "Planted", dependencies: ["Stoic", "StoicHTTP", "StoicTesting"], swiftSettings: settings),
  ]
)
