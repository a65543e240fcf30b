import Stoic
import StoicHTTP
import Testing

@Suite("Quotas, explored", .timeLimit(.minutes(30)))
struct QuotaExplorationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var maxWait: Int
    /// What a response may say.
    var reports: [[QuotaModel.Entry]]
  }

  static let cases = [
    Case(
      testDescription: "a quota without a window, one that is left and one that is none", maxWait: 9,
      reports: [[.init(name: "a", remaining: 1, reset: 4)], [.init(name: "a", remaining: 0, reset: 0)]]),
    Case(
      testDescription: "windows", maxWait: 9,
      reports: [[.init(name: "a", remaining: 0, reset: 2, limit: 2, window: 3)]]),
    Case(
      testDescription: "a server that is not believed for so long", maxWait: 2,
      reports: [[.init(name: "a", remaining: 0, reset: 5, limit: 2, window: 5)], []]),
    Case(
      testDescription: "two quotas, one of which is not always told", maxWait: 4,
      reports: [
        [
          .init(name: "a", remaining: 0, reset: 2, limit: 1, window: 2),
          .init(name: "b", remaining: 1, reset: 6),
        ],
        [.init(name: "b", remaining: 0)],
      ]),
  ]

  fileprivate struct Scope: Explorable, Hashable {
    enum Event: Hashable {
      case admit, start, giveBack, end
      case report(Int, to: Int)
      case wait(Int)
    }

    let reports: [[QuotaModel.Entry]]
    var state: QuotaState
    var model: QuotaModel
    var tickets: [QuotaState.Ticket] = []
    var now = 0

    init(_ numbers: Case) {
      reports = numbers.reports
      state = QuotaState(maxWait: .nanoseconds(numbers.maxWait))
      model = QuotaModel(maxWait: numbers.maxWait)
    }

    var mark: Scope { self }

    var events: [Event] {
      let reserved: [Event] = model.reserved > 0 ? [.start, .giveBack] : []
      // The first response, the last one, and one in between.
      let heard = Set([0, tickets.count / 2, tickets.count - 1].filter(tickets.indices.contains))
      let told: [Event] = heard.flatMap { ticket in reports.indices.map { .report($0, to: ticket) } }
      let ends: [Event] = model.ended < tickets.count ? [.end] : []
      let edges = Set(model.quotas.values.flatMap { [$0.reset - 1, $0.reset, $0.end] })
      return [.admit] + reserved + told + ends + edges.filter { $0 > now }.map(Event.wait)
    }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .admit:
        let until = model.admit(at: now).map { QuotaState.Admission.wait(until: .nanoseconds($0)) }
        return difference("the admission", state.admit(at: .nanoseconds(now)), until ?? .granted)
      case .start:
        tickets.append(state.start())
        model.start()
      case .giveBack:
        state.giveBack()
        model.giveBack()
      case .end:
        state.end()
        model.end()
      case .report(let report, let ticket):
        state.report(reports[report].map(\.told), of: tickets[ticket], at: .nanoseconds(now))
        model.report(reports[report], to: ticket, at: now)
      case .wait(let instant): now = instant
      }
      return nil
    }

    func checkInvariants() -> String? {
      var (copy, other) = (state, model)
      other.move(to: now)
      // Who asks and gives back has changed nothing.
      let instant = Duration.nanoseconds(now)
      var admission = copy.admit(at: instant)
      if admission == .granted { copy.giveBack() }
      let before = copy
      admission = copy.admit(at: instant)
      if admission == .granted { copy.giveBack() }
      if case .wait(let until) = admission,
        let fault = broken(
          "a wait is one of at most the longest",
          unless: until > instant && until <= instant + .nanoseconds(model.maxWait))
      {
        return fault
      }
      let turns = (0..<3).map { place in
        var forecast = QuotaState.Forecast(state, from: instant, until: instant + .nanoseconds(model.maxWait))
        forecast.take(place)
        return forecast.turn
      }
      return difference("what is used up", copy.usedUpUntil, other.usedUpUntil.map { .nanoseconds($0) })
        ?? broken("a request that is given back was none", unless: copy == before)
        ?? difference("the turns", turns, (0..<3).map { .nanoseconds(model.turn(after: $0, from: now)) })
    }
  }

  @Test("Every sequence of nine events leaves of each quota what a list of requests does", arguments: cases)
  func quotas(numbers: Case) {
    let result = Exploration(of: Scope(numbers), depth: 9)
    #expect(result.fault == nil)
    #expect(result.steps > 1_800)
  }
}

extension QuotaModel.Entry {
  var told: QuotaReport.Entry {
    QuotaReport.Entry(
      name, remaining: remaining, reset: reset.map { .nanoseconds($0) }, limit: limit,
      window: window.map { .nanoseconds($0) })
  }
}
