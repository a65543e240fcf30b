// StoicTesting
