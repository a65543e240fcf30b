import Foundation
import StoicHTTP

extension Check {
  /// Bodies that nginx packs.
  static let nginxCompression: [Check] = [
    Check("nginx: a body packed on the way is unpacked", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/packed/text.txt"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.body, try probe.site.file("text.txt"))
      let arrival = try await probe.wire(.nginx, 1)[0]
      try probe.expect(arrival["encoding"], "gzip")
      try probe.expect(arrival.sent < 200_000, true)
    },
    Check("nginx: a body packed beforehand is unpacked", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/ready/text.txt"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.body, try probe.site.file("text.txt"))
      let arrival = try await probe.wire(.nginx, 1)[0]
      try probe.expect(arrival["encoding"], "gzip")
      try probe.expect(arrival.sent, try probe.site.file("ready/text.txt.gz").count)
    },
    Check("nginx: the limit is for unpacked bytes, to the byte", needs: [.nginx]) { probe in
      let size = try probe.site.file("text.txt").count
      let within = await probe.nginx { $0.maxResponseBytes = size }.ask(.get("/ready/text.txt"))
      try probe.expect(within.ending, .success(200))
      let over = await probe.nginx { $0.maxResponseBytes = size - 1 }.ask(.get("/ready/text.txt"))
      try probe.expect(over.ending, .tooLarge(size - 1))
      try await probe.wire(.nginx, 2)
    },
    Check("nginx: a hundred million bytes in a hundred thousand end at the limit", needs: [.nginx]) { probe in
      let answer = await probe.nginx { $0.maxResponseBytes = 1_000_000 }.ask(.get("/ready/bomb.bin"))
      try probe.expect(answer.ending, .tooLarge(1_000_000))
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a range of a packed file is not taken for the file", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/large.bin").header("Range", "bytes=0-99"))
      try probe.expect(answer["Content-Encoding"], nil)
      try probe.expect(answer.body.count, 100)
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: noise that calls itself gzip is no success", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/ready/noise.txt"))
      try probe.expect(answer.ending, .transport(.cannotDecodeContentData))
      try probe.expect(answer.attempts, 3)
      try await probe.wire(.nginx, 3)
    },
    Check("nginx: gzip that is cut short is no success", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/ready/cut.txt"))
      try probe.expect(
        answer.ending, .transport(.cannotDecodeContentData),
        limit: .urlsession(.success(200), "a body whose gzip ends early, its length satisfied, is a success"))
      try await probe.wire(.nginx, answer.ending == .success(200) ? 1 : 3)
    },
    Check("nginx: a packed body that nobody reads is no body: HEAD", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.head("/ready/text.txt"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.body, [])
      try await probe.wire(.nginx, 1)
    },
  ]
}
