import Foundation
import StoicHTTP

extension Check {
  /// nginx goes and comes back while requests come in.
  static let nginxRestart: [Check] = [
    Check("nginx: reloaded under load, no GET fails", needs: [.nginx]) { probe in
      let outcome = try await Load(probe).run(of: 120) {
        .get("/small.txt", query: ["n": "\($0)"])
      } meanwhile: {
        for _ in 0..<3 {
          try await Task.sleep(for: .milliseconds(60))
          try await probe.site.nginx("reload")
        }
      }
      try outcome.expectSuccess(200)
      try await outcome.expectHonesty(sentAgain: true)
    },
    Check("nginx: reloaded under load, a POST without a key arrives once where it succeeds", needs: [.nginx])
    { probe in
      let outcome = try await Load(probe).run(of: 100) {
        .post("/order", json: ["n": JSON($0)]).numbered($0)
      } meanwhile: {
        for _ in 0..<3 {
          try await Task.sleep(for: .milliseconds(60))
          try await probe.site.nginx("reload")
        }
      }
      try await outcome.expectHonesty(sentAgain: false)
    },
    Check("nginx: stopped and started under load, every GET succeeds in the end", needs: [.nginx]) { probe in
      let outcome = try await Load(probe).run(of: 120) {
        .get("/small.txt", query: ["n": "\($0)"])
      } meanwhile: {
        try await probe.restart(by: "quit")
        try await probe.restart(by: "stop")
      }
      try outcome.expectSuccess(200)
      try await outcome.expectHonesty(sentAgain: true)
    },
    Check("nginx: killed under load, every GET succeeds in the end", needs: [.nginx]) { probe in
      let outcome = try await Load(probe).run(of: 120) {
        .get("/small.txt", query: ["n": "\($0)"])
      } meanwhile: {
        try await probe.restart(by: "kill")
      }
      try outcome.expectSuccess(200)
      try await outcome.expectHonesty(sentAgain: true, kills: 1)
    },
    Check("nginx: stopped and killed under load, no POST without a key arrives twice", needs: [.nginx]) {
      probe in
      let outcome = try await Load(probe).run(of: 120) {
        .post("/order").numbered($0)
      } meanwhile: {
        try await probe.restart(by: "stop")
        try await probe.restart(by: "kill")
      }
      try await outcome.expectHonesty(sentAgain: false, kills: 1)
    },
    Check("nginx: stopped and killed under load, every POST with a key succeeds in the end", needs: [.nginx])
    { probe in
      let outcome = try await Load(probe).run(of: 120) {
        .post("/order", json: ["n": JSON($0)]).numbered($0).keyed("k-\($0)")
      } meanwhile: {
        try await probe.restart(by: "stop")
        try await probe.restart(by: "kill")
      }
      try outcome.expectSuccess(201)
      try await outcome.expectHonesty(sentAgain: true, kills: 1)
    },
  ]
}

extension Probe {
  fileprivate func restart(by command: String) async throws {
    try await Task.sleep(for: .milliseconds(80))
    try await site.nginx(command)
    try await Task.sleep(for: .milliseconds(80))
    try await site.nginx("start")
  }
}

extension HTTPRequest {
  /// The request with its number in the query, by which it is found in the log.
  fileprivate func numbered(_ number: Int) -> HTTPRequest {
    var request = self
    request.query = [QueryItem("n", "\(number)")]
    return request
  }
}
