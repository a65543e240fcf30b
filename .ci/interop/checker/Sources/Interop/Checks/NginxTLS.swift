import Foundation
import StoicHTTP

extension Check {
  /// Certificates that are not to be trusted; what follows from a good one is in ``nginxTrust``.
  static let nginxTLS: [Check] = [
    Check("nginx: an authority that nobody was told of is not trusted", needs: [.nginx, .tls]) { probe in
      // Signed by the other authority, which is in no list.
      let answer = await probe.nginx("stranger", scheme: "https").ask(.get("/small.txt"))
      try probe.expect(answer.ending, .transport(.serverCertificateUntrusted))
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.nginx, 0, reported: 1)
    },
    Check("nginx: a certificate that signs itself is not trusted", needs: [.nginx, .tls]) { probe in
      let answer = await probe.nginx("selfsigned", scheme: "https").ask(.get("/small.txt"))
      try probe.expect(answer.ending, .transport(.serverCertificateUntrusted))
      try await probe.wire(.nginx, 0, reported: 1)
    },
    Check(
      "nginx: a POST behind a certificate that is not trusted is not sent, key or not", needs: [.nginx, .tls]
    ) {
      probe in
      let nginx = probe.nginx("stranger", scheme: "https")
      try probe.expect(
        await nginx.ask(.post("/order", json: ["a": 1]), key: "k").ending,
        .transport(.serverCertificateUntrusted))
      try probe.expect(
        await nginx.ask(.post("/order", json: ["a": 1])).ending, .transport(.serverCertificateUntrusted))
      try await probe.wire(.nginx, 0, reported: 2)
    },
    Check("nginx: TLS to a port without is no secure connection", needs: [.nginx, .tls]) { probe in
      let answer = await probe.nginx("plain", scheme: "https").ask(.get("/small.txt"))
      try probe.expect(answer.ending, .transport(.secureConnectionFailed))
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.nginx, 0, reported: 1)
    },
    Check("nginx: no TLS to a port with it is 400", needs: [.nginx, .tls]) { probe in
      let answer = await probe.nginx("tls").ask(.get("/small.txt"))
      try probe.expect(answer.ending, .status(400))
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.nginx, 1)
    },
  ]

  /// What a private authority vouches for, and what it does not.
  static let nginxTrust: [Check] = [
    Check("nginx: a file arrives over TLS, by address and by name", needs: trusted) { probe in
      for host in ["127.0.0.1", "localhost"] {
        let answer = await probe.secure(host: host).ask(.get("/small.txt"))
        try probe.expect(answer.text, "small\n")
      }
      try probe.expect(
        try await probe.wire(.nginx, 2).map { $0["tls"] }, ["TLSv1.3", "TLSv1.3"])
    },
    Check("nginx: a server of TLS 1.2 alone is spoken to", needs: trusted) { probe in
      try probe.expect(await probe.secure("tls12").ask(.get("/small.txt")).text, "small\n")
      try probe.expect(try await probe.wire(.nginx, 1).map { $0["tls"] }, ["TLSv1.2"])
    },
    Check("nginx: ten GETs over TLS in a row take one connection", needs: trusted) { probe in
      let nginx = probe.secure()
      for _ in 0..<10 { try probe.expect(await nginx.ask(.get("/small.txt")).ending, .success(200)) }
      try probe.expect(Set(try await probe.wire(.nginx, 10).map(\.connection)).count, 1)
    },
    Check("nginx: twenty million random bytes arrive over TLS as they are", needs: trusted) { probe in
      let answer = await probe.secure { $0.maxResponseBytes = 20_000_000 }.ask(.get("/large.bin"))
      try probe.expect(answer.body, try probe.site.file("large.bin"))
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a packed body over TLS is unpacked", needs: trusted) { probe in
      let answer = await probe.secure().ask(.get("/packed/text.txt"))
      try probe.expect(answer.body, try probe.site.file("text.txt"))
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: an upload over TLS lies there byte for byte", needs: trusted) { probe in
      let bytes = Array(try probe.site.file("large.bin").prefix(1_000_000))
      let answer = await probe.secure().ask(
        .put("/uploads/secure.bin", body: bytes, contentType: "application/octet-stream"))
      try probe.expect(answer.ending, .success(201))
      let file = probe.site.directory.appending(path: "uploads/secure.bin")
      try probe.expect([UInt8](try Data(contentsOf: file)), bytes)
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a POST over TLS that meets 503 is sent once, with a key three times", needs: trusted) {
      probe in
      let nginx = probe.secure()
      _ = await nginx.ask(.post("/down", json: ["a": 1]))
      _ = await nginx.ask(.post("/down", json: ["a": 1]), key: "k")
      try probe.expect(try await probe.wire(.nginx, 4).map(\.key), ["", "k", "k", "k"])
    },
    Check("nginx: a connection over TLS that is dropped is a lost one", needs: trusted) { probe in
      let answer = await probe.secure().ask(.get("/dropped"))
      try probe.expect(answer.ending, .transport(.networkConnectionLost))
      try probe.expect(answer.attempts, 3)
      try await probe.wire(.nginx, 3)
    },
    Check("nginx: an expired certificate of a trusted authority is refused", needs: trusted) { probe in
      let answer = await probe.secure("expired").ask(.get("/small.txt"))
      try probe.expect(answer.ending, .transport(.serverCertificateHasBadDate))
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.nginx, 0, reported: 1)
    },
    Check("nginx: a certificate for another host is refused", needs: trusted) { probe in
      let answer = await probe.secure("wronghost", host: "localhost").ask(.get("/small.txt"))
      try probe.expect(answer.ending, .transport(.serverCertificateUntrusted))
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.nginx, 0, reported: 1)
    },
    Check("nginx: another authority is not trusted beside one that is", needs: trusted) { probe in
      let answer = await probe.secure("stranger").ask(.get("/small.txt"))
      try probe.expect(answer.ending, .transport(.serverCertificateUntrusted))
      try await probe.wire(.nginx, 0, reported: 1)
    },
    Check("nginx: a server that wants the client's certificate answers 400 without", needs: trusted) {
      probe in
      let answer = await probe.secure("mutual").ask(.get("/small.txt"))
      try probe.expect(answer.ending, .status(400))
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a server that offers HTTP/2 is understood", needs: trusted) { probe in
      let nginx = probe.secure("http2")
      for _ in 0..<3 { try probe.expect(await nginx.ask(.get("/small.txt")).text, "small\n") }
      let answer = await nginx.ask(.post("/order", json: ["a": 1]))
      try probe.expect(answer.ending, .success(201))
      let protocols = try await probe.wire(.nginx, 4).map { $0["protocol"] }
      try probe.expect(
        protocols, Array(repeating: "HTTP/2.0", count: 4),
        limit: .curl(
          ["HTTP/2.0", "HTTP/2.0", "HTTP/2.0", "HTTP/1.1"], "what must not be repeated goes over HTTP/1.1"))
    },
    Check("nginx: a redirect into TLS is followed, one out of it is the answer", needs: trusted) { probe in
      let into = await probe.nginx().ask(.get("/secure"))
      try probe.expect(into.text, "small\n")
      try probe.expect(into.redirects, [301])
      let out = await probe.secure().ask(.get("/insecure"))
      try probe.expect(out.ending, .status(301))
      try probe.expect(
        try await probe.wire(.nginx, 3).map(\.target), ["/secure", "/small.txt", "/insecure"])
    },
  ]

  private static let trusted: [Need] = [.nginx, .tls, .trust]
}

extension Probe {
  /// A client of nginx over TLS that trusts the private authority.
  fileprivate func secure(
    _ port: String = "tls", host: String = "127.0.0.1", _ adjust: (inout HTTPPolicy) -> Void = { _ in }
  ) -> Party {
    nginx(port, scheme: "https", host: host, trusting: site.authority, adjust)
  }
}
