// swift-tools-version: 6.2
import PackageDescription

// A user's package: nothing here knows more of ours than its pages say.
// CONSUMER_SWIFT=5 builds its targets in Swift 5 mode, where warnings are allowed; CONSUMER_DOCUMENTS names the modules
// that the consumer stage has written from the pages. Those may leave a value unused, as a listing of an API does: the
// stage itself looks at their warnings.
let mode = SwiftSetting.swiftLanguageMode(Context.environment["CONSUMER_SWIFT"] == "5" ? .v5 : .v6)
let strict =
  Context.environment["CONSUMER_SWIFT"] == "5" ? [mode] : [mode, .treatAllWarnings(as: .error)]

let stoic: [Target.Dependency] = [
  "Stoic", "StoicHTTP", "StoicJSON", "StoicLocalServer", "StoicSchema", "StoicTesting",
].map { .product(name: $0, package: "stoic") }

let documents = (Context.environment["CONSUMER_DOCUMENTS"] ?? "").split(separator: ",").map { name in
  Target.testTarget(
    name: String(name), dependencies: stoic, path: "Documents/\(name)", swiftSettings: [mode])
}

let package = Package(
  name: "consumer",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  // Named, since a checkout may be called anything.
  dependencies: [.package(name: "stoic", path: "../..")],
  targets: [
    .target(name: "Promised", dependencies: stoic, swiftSettings: strict),
    .target(
      name: "MainActorApp", dependencies: [.product(name: "StoicHTTP", package: "stoic")],
      swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "ConsumerTests", dependencies: stoic + ["Promised", "MainActorApp"], swiftSettings: strict),
  ] + documents
)
