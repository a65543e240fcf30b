/// Who shares a retry budget.
public enum BudgetScope: Sendable, Hashable {
  /// All hosts of a client, so that one dead host can use up what others need.
  case client
  /// Each host has one of its own.
  case host
}
