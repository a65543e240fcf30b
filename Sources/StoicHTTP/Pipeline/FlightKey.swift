/// What makes two GETs the same request.
///
/// The parts are kept apart and compared one by one, so that no value can be made to look like another's part.
struct FlightKey: Hashable, Sendable {
  /// Where to, the query included.
  private let url: String
  /// The fields that count, in order, names in small letters.
  private let fields: HTTPHeaders
  /// Whether only one attempt may be made: a caller who may make more must not join a flight that will not.
  private let makesOneAttempt: Bool

  /// The key of a request; nil for one that is never shared: all but GETs without a body.
  init?(_ request: PreparedRequest, policy: HTTPPolicy, isNested: Bool) {
    guard policy.coalescesGETs, request.method == .get, request.first.body.isEmpty else { return nil }
    url = request.first.location.text
    makesOneAttempt = isNested && policy.retry.nesting == .singleAttempt
    fields = request.first.headers.varying(by: policy.varyHeaders)
  }
}

extension HTTPHeaders {
  fileprivate func varying(by rule: VaryHeaders) -> HTTPHeaders {
    switch rule {
    case .all(except: let names):
      let isExempt = { (field: Field) in names.contains { $0.isSameFieldName(as: field.name) } }
      return contains(where: isExempt) ? HTTPHeaders(filter { !isExempt($0) }) : self
    case .only(let names):
      return HTTPHeaders(filter { field in names.contains { $0.isSameFieldName(as: field.name) } })
    }
  }
}
