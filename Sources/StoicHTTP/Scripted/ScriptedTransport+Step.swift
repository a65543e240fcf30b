public import Foundation
import Stoic
public import StoicJSON

extension ScriptedTransport {
  /// One answer of a script.
  ///
  /// A status may be any integer, and is delivered as it is.
  public struct Step: Sendable {
    enum Answer: Sendable {
      case response(status: Int, headers: HTTPHeaders, body: [UInt8])
      case oversized(Int, status: Int, headers: HTTPHeaders)
      case failure(any Error)
      case hang
      case computed(@Sendable (TransportRequest) async throws -> Step)
    }

    let answer: Answer
    private(set) var delay = Duration.zero

    init(_ answer: Answer) { self.answer = answer }

    /// A response without a body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Step {
      Step(.response(status: status, headers: headers, body: []))
    }

    /// A response of JSON text, not checked, with its content type unless given.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Step {
      json(Array(text.utf8), status, headers)
    }

    /// A response of a JSON value, with its content type unless given.
    ///
    /// A value that cannot be written, such as a NaN, makes a step that throws `JSONWritingError`.
    public static func json(_ value: JSON, status: Int = 200, headers: HTTPHeaders = [:]) -> Step {
      do { return json(try value.serialized(), status, headers) } catch { return Step(.failure(error)) }
    }

    private static func json(_ body: [UInt8], _ status: Int, _ headers: HTTPHeaders) -> Step {
      var headers = headers
      headers.addIfAbsent("Content-Type", "application/json")
      return Step(.response(status: status, headers: headers, body: body))
    }

    /// A response of bytes.
    public static func bytes(_ body: [UInt8], status: Int = 200, headers: HTTPHeaders = [:]) -> Step {
      Step(.response(status: status, headers: headers, body: body))
    }

    /// A response whose body is so many zero bytes; above the limit none of them is ever allocated, and none delivered.
    ///
    /// A negative count is zero.
    public static func oversized(_ count: Int, status: Int = 200, headers: HTTPHeaders = [:]) -> Step {
      Step(.oversized(max(0, count), status: status, headers: headers))
    }

    /// No response, but a failure; whether the server may have acted follows from the code.
    public static func failure(_ code: URLError.Code) -> Step {
      Step(.failure(TransportError(code)))
    }

    /// No response, but a failure of which it is known whether the server may have acted.
    public static func failure(_ code: URLError.Code, mayHaveActed: Bool) -> Step {
      Step(.failure(TransportError(code: code, mayHaveActed: mayHaveActed)))
    }

    /// No response, but a failure.
    public static func failure(_ error: TransportError) -> Step {
      Step(.failure(error))
    }

    /// Nothing: the request waits, on no clock, until it is cancelled or its timeout is over.
    public static var hang: Step { Step(.hang) }

    /// A step made of the request, when it arrives: an echo, a server with a memory, an error of any type.
    ///
    /// ```swift
    /// transport.on(.any, respond: [.computed { request in .bytes(request.body) }])
    /// ```
    ///
    /// The closure is called once per request, in the request's task, without a lock held; it may sleep on the ambient
    /// clock, and is cancelled with the request and by its timeout. What it throws is thrown by the transport. A
    /// step that it returns may be computed in turn, sixteen deep at most; beyond that the exchange fails as `unknown`.
    public static func computed(_ make: @escaping @Sendable (TransportRequest) async throws -> Step) -> Step {
      Step(.computed(make))
    }

    /// This answer, later by a time on the ambient clock; several add up, zero and less add nothing.
    public func after(_ delay: Duration) -> Step {
      guard delay > .zero else { return self }
      var copy = self
      copy.delay = copy.delay.saturatingAdd(delay)
      return copy
    }
  }
}

extension ScriptedTransport.Step: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What the step answers, without fields and body.
  public var description: String {
    delay > .zero ? "\(answer) after \(delay.text)" : "\(answer)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The ``description`` alone.
  public var customMirror: Mirror { Mirror(self, children: ["step": description]) }
}

extension ScriptedTransport.Step.Answer: CustomStringConvertible {
  var description: String {
    switch self {
    case .response(let status, _, let body): "\(status) with \(body.count) bytes"
    case .oversized(let count, let status, _): "\(status) with \(count) bytes"
    case .failure(let error): (error as? TransportError)?.code.words ?? "an error of its own"
    case .hang: "hang"
    case .computed: "computed"
    }
  }
}
