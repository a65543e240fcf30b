import Foundation
import StoicHTTP

extension Check {
  /// Bodies that go to nginx, and fields that it reads.
  static let nginxRequests: [Check] = [
    Check("nginx: an uploaded file lies there byte for byte, and can be deleted once", needs: [.nginx]) {
      probe in
      let nginx = probe.nginx()
      let bytes = Array(try probe.site.file("large.bin").prefix(4_000_000))
      let put = await nginx.ask(
        .put("/uploads/new.bin", body: bytes, contentType: "application/octet-stream"))
      try probe.expect(put.ending, .success(201))
      let file = probe.site.directory.appending(path: "uploads/new.bin")
      try probe.expect([UInt8](try Data(contentsOf: file)), bytes)
      try probe.expect(await nginx.ask(.delete("/uploads/new.bin")).ending, .success(204))
      try probe.expect(await nginx.ask(.delete("/uploads/new.bin")).ending, .status(404))
      try probe.expect(try await probe.wire(.nginx, 3).map(\.method), ["PUT", "DELETE", "DELETE"])
    },
    Check("nginx: a second upload replaces the first", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      let statuses = await [
        nginx.ask(.put("/uploads/twice.txt", body: Array("one".utf8), contentType: "text/plain")).ending,
        nginx.ask(.put("/uploads/twice.txt", body: Array("two".utf8), contentType: "text/plain")).ending,
      ]
      try probe.expect(statuses, [.success(201), .success(204)])
      let file = probe.site.directory.appending(path: "uploads/twice.txt")
      try probe.expect(try String(contentsOf: file, encoding: .utf8), "two")
      try await probe.wire(.nginx, 2)
    },
    Check("nginx: a body over the server's limit is 413, and sent once", needs: [.nginx]) { probe in
      let body = [UInt8](repeating: 0x61, count: 10_000)
      let answer = await probe.nginx().ask(.post("/letters-only", body: body, contentType: "text/plain"))
      try probe.expect(answer.ending, .status(413))
      try probe.expect(try await probe.wire(.nginx, 1).map(\.status), [413])
    },
    Check("nginx: a large body over the server's limit is refused before it is sent", needs: [.nginx]) {
      probe in
      let body = [UInt8](repeating: 0x61, count: 8_000_000)
      let answer = await probe.nginx().ask(.post("/letters-only", body: body, contentType: "text/plain"))
      try probe.expect(answer.ending, .status(413))
      try probe.expect(try await probe.wire(.nginx, 1).map(\.status), [413])
    },
    Check("nginx: a body within the server's limit is taken", needs: [.nginx]) { probe in
      let body = [UInt8](repeating: 0x61, count: 1024)
      let answer = await probe.nginx().ask(.post("/letters-only", body: body, contentType: "text/plain"))
      try probe.expect(answer.ending, .success(201))
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a field that is too long is 400, and sent once", needs: [.nginx]) { probe in
      let field = String(repeating: "x", count: 20_000)
      let answer = await probe.nginx().ask(
        .get("/small.txt", query: ["agent": probe.agent]).header("X-Long", field))
      try probe.expect(answer.ending, .status(400))
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a target that is too long is 414, and sent once", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/" + String(repeating: "x", count: 20_000)))
      try probe.expect(answer.ending, .status(414))
      // Of a line that it did not read to its end nginx has no agent to log.
      try await probe.wire(.nginx, 0, reported: 1)
    },
    Check("nginx: a password is asked for, and taken", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      let without = await nginx.ask(.get("/secret/small.txt"))
      try probe.expect(without.ending, .status(401))
      let credential = Data("user:pass".utf8).base64EncodedString()
      let with = await nginx.ask(.get("/secret/small.txt").header("Authorization", "Basic \(credential)"))
      try probe.expect(with.text, "small\n")
      try probe.expect(try await probe.wire(.nginx, 2).map(\.status), [401, 200])
    },
    Check("nginx: cookies are told and not kept", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      let answer = await nginx.ask(.get("/cookies"))
      try probe.expect(
        answer.response?.headers.values(for: "Set-Cookie"), ["a=1", "b=2"],
        limit: .urlsession(["a=1, b=2"], "repeated fields of one name arrive joined"))
      _ = await nginx.ask(.get("/cookies"))
      try probe.expect(try await probe.wire(.nginx, 2).map { $0["cookie"] }, ["", ""])
    },
    Check("nginx: a method that it does not know is 405, and sent once", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(HTTPRequest(method: HTTPMethod("QUERY"), path: "/small.txt"))
      try probe.expect(answer.ending, .status(405))
      try probe.expect(try await probe.wire(.nginx, 1).map(\.method), ["QUERY"])
    },
  ]
}
