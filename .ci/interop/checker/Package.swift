// swift-tools-version: 6.2
import PackageDescription

// A user's package, as the consumer's is: what it checks is the client that users get.
let package = Package(
  name: "checker",
  platforms: [.macOS(.v15)],
  // Named, since a checkout may be called anything.
  dependencies: [.package(name: "stoic", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Interop", dependencies: [.product(name: "StoicHTTP", package: "stoic")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "Bounds", dependencies: [.product(name: "StoicHTTP", package: "stoic")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
