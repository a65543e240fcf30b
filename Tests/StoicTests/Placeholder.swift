// StoicTests
