// StoicLocalServerTests
