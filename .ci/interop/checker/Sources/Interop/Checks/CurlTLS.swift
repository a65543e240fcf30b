import Foundation
import StoicHTTP

extension Check {
  /// What can be told to libcurl about TLS, and what follows from it.
  static let curlTLS: [Check] = [
    Check("curl: without a file the machine's list is trusted", needs: [.nginx, .tls, .list], only: .curl) {
      probe in
      let nginx = probe.nginx("tls") { _ in }
      try probe.expect(await nginx.ask(.get("/small.txt")).text, "small\n")
      try await probe.wire(.nginx, 1)
    },
    Check(
      "curl: a file takes the place of the machine's list", needs: [.nginx, .tls, .list], only: .curl
    ) { probe in
      let nginx = probe.nginx("tls") { $0.caFile = probe.path("other.pem") }
      let answer = await nginx.ask(.get("/small.txt"))
      try probe.expect(answer.ending, .transport(.serverCertificateUntrusted))
      try probe.expect(answer.error?.call.mayHaveActed, false)
      try await probe.wire(.nginx, 0, reported: 1)
    },
    Check("curl: each authority is believed where it is named", needs: [.nginx, .tls], only: .curl) { probe in
      let nginx = probe.nginx("stranger") { $0.caFile = probe.path("other.pem") }
      try probe.expect(await nginx.ask(.get("/small.txt")).text, "small\n")
      try await probe.wire(.nginx, 1)
    },
    Check(
      "curl: a certificate that is not believed keeps a request unsent", needs: [.nginx, .tls], only: .curl
    ) { probe in
      for (port, code) in [
        ("stranger", URLError.Code.serverCertificateUntrusted), ("selfsigned", .serverCertificateUntrusted),
        ("wronghost", .serverCertificateUntrusted), ("expired", .serverCertificateHasBadDate),
      ] {
        let nginx = probe.nginx(port, on: "localhost") { $0.caFile = probe.path("authority.pem") }
        let answer = await nginx.ask(.post("/order", json: ["a": 1]), key: "k")
        try probe.expect(answer.ending, .transport(code))
        try probe.expect(answer.error?.call.mayHaveActed, false)
      }
      try await probe.wire(.nginx, 0, reported: 4)
    },
    Check("curl: a server of TLS 1.1 is not spoken to", needs: [.nginx, .tls], only: .curl) { probe in
      let nginx = probe.nginx("old") { $0.caFile = probe.path("authority.pem") }
      let answer = await nginx.ask(.get("/small.txt"))
      try probe.expect(answer.ending, .transport(.secureConnectionFailed))
      try probe.expect(answer.error?.call.mayHaveActed, false)
      try await probe.wire(.nginx, 0, reported: 1)
    },
    Check(
      "curl: a certificate of the client's is shown, its key locked or not", needs: [.nginx, .tls],
      only: .curl
    ) {
      probe in
      for (key, password) in [("client.key", nil), ("locked.key", "open")] {
        let nginx = probe.mutual("client.pem", key, password)
        try probe.expect(await nginx.ask(.get("/small.txt")).ending, .success(200))
      }
      try probe.expect(
        try await probe.wire(.nginx, 2).map { $0["client"] }, Array(repeating: "CN=interop client", count: 2))
    },
    Check(
      "curl: a key that cannot be opened, or is not there, keeps a request unsent", needs: [.nginx, .tls],
      only: .curl
    ) {
      probe in
      for (key, password) in [("locked.key", "wrong"), ("nowhere.key", nil), ("server.key", nil)] {
        let answer = await probe.mutual("client.pem", key, password).ask(.get("/small.txt"))
        try probe.expect(answer.ending, .transport(.clientCertificateRejected))
        try probe.expect(answer.error?.call.mayHaveActed, false)
      }
      try await probe.wire(.nginx, 0, reported: 3)
    },
    Check(
      "curl: a certificate of another authority is the server's to refuse", needs: [.nginx, .tls], only: .curl
    ) {
      probe in
      let answer = await probe.mutual("foreigner.pem", "client.key", nil).ask(.get("/small.txt"))
      try probe.expect(answer.ending, .status(400))
      try await probe.wire(.nginx, 1)
    },
  ]
}

extension Probe {
  fileprivate func path(_ name: String) -> String { site.directory.appending(path: "tls/\(name)").path }

  /// A client of the server that wants a certificate.
  fileprivate func mutual(_ certificate: String, _ key: String, _ password: String?) -> Party {
    nginx("mutual") {
      $0.caFile = path("authority.pem")
      $0.clientCertificate = CurlTransport.ClientCertificate(
        certificateFile: path(certificate), keyFile: path(key), password: password)
    }
  }
}
