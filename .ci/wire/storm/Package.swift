// swift-tools-version: 6.2
import PackageDescription

// A user's program that sends a hundred thousand requests and takes fifty thousand of them back.
let package = Package(
  name: "storm",
  platforms: [.macOS(.v15)],
  // Named, since a checkout may be called anything.
  dependencies: [.package(name: "stoic", path: "../../..")],
  targets: [
    .executableTarget(
      name: "storm",
      dependencies: [
        .product(name: "StoicHTTP", package: "stoic"), .product(name: "StoicLocalServer", package: "stoic"),
      ],
      path: "Sources",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
