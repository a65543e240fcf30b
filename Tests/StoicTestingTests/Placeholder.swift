// StoicTestingTests
