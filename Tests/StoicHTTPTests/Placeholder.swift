// StoicHTTPTests
