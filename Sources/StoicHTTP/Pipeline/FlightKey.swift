import Stoic

/// What makes two GETs the same request, so that one flight may be shared.
///
/// The parts are kept apart and compared one by one, so that no value can be made to look like another's part.
struct FlightKey: Hashable, Sendable {
  /// Where to, the query included.
  private let url: String
  /// The fields that count, in order.
  private let fields: HTTPHeaders
  /// Whether only one attempt may be made: a caller who may make more must not join a flight that will not.
  private let makesOneAttempt: Bool
  /// The hash of the fields.
  private let fieldsHash: Int

  /// The key of a call's request; nil for one that is never shared: all but GETs, which have no body.
  init?(_ request: PreparedRequest, of pipeline: Pipeline, in values: AmbientValues) {
    let policy = pipeline.policy
    guard policy.coalescesGETs, request.method == .get else { return nil }
    url = request.first.location.text
    makesOneAttempt = values.attempt != nil && policy.retry.nesting == .singleAttempt
    fields = request.common?.varying ?? request.first.headers.varying(by: pipeline.vary)
    fieldsHash = request.common?.hash ?? fields.hashValue
  }

  static func == (left: FlightKey, right: FlightKey) -> Bool {
    left.url == right.url && left.makesOneAttempt == right.makesOneAttempt && left.fields == right.fields
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(fieldsHash)
  }
}

/// A policy's ``VaryHeaders``, ready to be looked through for each request.
struct VaryRule: Sendable {
  /// Whether the names are those that count, or those that do not.
  let isOnly: Bool
  let names: [String]

  init(_ headers: VaryHeaders) {
    switch headers {
    case .all(except: let exempt): (isOnly, names) = (false, exempt.sorted())
    case .only(let counted): (isOnly, names) = (true, counted.sorted())
    }
  }

  fileprivate func counts(_ name: String) -> Bool {
    // The authority says where to, as the URL does.
    name.isSameFieldName(as: "Host") || names.contains { $0.isSameFieldName(as: name) } == isOnly
  }
}

extension HTTPHeaders {
  func varying(by rule: VaryRule) -> HTTPHeaders {
    allSatisfy { rule.counts($0.name) } ? self : HTTPHeaders(filter { rule.counts($0.name) })
  }
}
