import Foundation
import StoicHTTP

extension Check {
  /// What httpbin says it has read, and bodies of many kinds.
  static let httpbinBodies: [Check] = [
    Check("httpbin: the fields that arrive are the ones that were meant", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/headers").header("X-Tag", "a b"))
      let fields = answer.json["headers"]
      try probe.expect(fields?["X-Tag"], "a b")
      try probe.expect(fields?["Accept"], "*/*")
      try probe.expect(fields?["User-Agent"], JSON(probe.agent))
      let names = Set(fields?.object.map { $0.map(\.key) } ?? [])
      try probe.expect(
        names.subtracting(["Connection"]), ["Accept", "Accept-Encoding", "Host", "User-Agent", "X-Tag"])
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a query arrives as it was given", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(
        .get("/get", query: ["q": "a b&c=d", "ü": "1+1", "empty": "", "two": "1", "two": "2"]))
      try probe.expect(
        answer.json["args"],
        ["q": "a b&c=d", "ü": "1+1", "empty": "", "two": ["1", "2"]])
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: JSON arrives as JSON by POST, PUT and PATCH", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      let value: JSON = ["name": "café", "tags": ["a", .null], "large": 9_007_199_254_740_993]
      for (path, request) in [
        ("post", HTTPRequest.post("/post", json: value)), ("put", .put("/put", json: value)),
        ("patch", .patch("/patch", json: value)),
      ] {
        let answer = await httpbin.ask(request)
        try probe.expect(answer.json["json"], value)
        try probe.expect(answer.json["headers"]?["Content-Type"], "application/json")
        try probe.expect(answer.json["url"]?.string?.hasSuffix("/" + path), true)
      }
      try await probe.wire(.httpbin, 3)
    },
    Check("httpbin: every byte there is arrives by POST", needs: [.httpbin]) { probe in
      let bytes = (0..<1_024).map { UInt8(truncatingIfNeeded: $0) }
      let answer = await probe.httpbin().ask(
        .post("/post", body: bytes, contentType: "application/octet-stream"))
      let text = "data:application/octet-stream;base64," + Data(bytes).base64EncodedString()
      try probe.expect(answer.json["data"], JSON(text))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a body of a million bytes arrives whole", needs: [.httpbin]) { probe in
      let body = Array(String(repeating: "0123456789", count: 100_000).utf8)
      let answer = await probe.httpbin().ask(.put("/put", body: body, contentType: "text/plain"))
      try probe.expect(answer.json["data"]?.string?.utf8.count, 1_000_000)
      try probe.expect(answer.json["headers"]?["Content-Length"], "1000000")
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a form arrives as a form", needs: [.httpbin]) { probe in
      let form = Array("a=1&b=two+words".utf8)
      let answer = await probe.httpbin().ask(
        .post("/post", body: form, contentType: "application/x-www-form-urlencoded"))
      try probe.expect(answer.json["form"], ["a": "1", "b": "two words"])
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a POST without a body has a length of zero", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.post("/post"))
      try probe.expect(answer.json["data"], "")
      try probe.expect(answer.json["headers"]?["Content-Length"], "0")
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: DELETE and OPTIONS are what they are", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      try probe.expect(await httpbin.ask(.delete("/delete")).ending, .success(200))
      let options = await httpbin.ask(.options("/get"))
      let allowed = (options["Allow"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
      try probe.expect(Set(allowed), ["GET", "HEAD", "OPTIONS"])
      try probe.expect(try await probe.wire(.httpbin, 2).map(\.method).sorted(), ["DELETE", "OPTIONS"])
    },
    Check("httpbin: HEAD has the fields of a GET and no body", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.head("/html"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.response?.mediaType, "text/html")
      try probe.expect(answer.body, [])
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a picture is its bytes", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/image/png"))
      try probe.expect(answer.response?.mediaType, "image/png")
      try probe.expect(Array(answer.body.prefix(8)), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      try probe.expect("\(answer.body.count)", answer["Content-Length"] ?? "")
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: text beyond ASCII is read as UTF-8", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/encoding/utf8"))
      try probe.expect(answer.response?.text?.contains("∮ E⋅da = Q"), true)
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a page of HTML is no JSON, and the error says so", needs: [.httpbin]) { probe in
      do {
        _ = try await probe.httpbin().client.send(.get("/html"), decoding: .json)
        throw Mismatch(description: "HTML was decoded")
      } catch HTTPError.decoding(let failure, let call) {
        try probe.expect(failure.issues.count, 1)
        try probe.expect(call.attempts, 1)
      }
      try await probe.wire(.httpbin, 1, reported: 0)
    },
    Check("httpbin: two of the same GET are two answers: nothing is cached", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      let (first, second) = (await httpbin.ask(.get("/uuid")), await httpbin.ask(.get("/cache/60")))
      let third = await httpbin.ask(.get("/uuid"))
      try probe.expect(await httpbin.ask(.get("/cache/60")).ending, second.ending)
      try probe.expect(first.json["uuid"] == third.json["uuid"], false)
      try await probe.wire(.httpbin, 4)
    },
  ]
}
