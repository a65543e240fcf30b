// StoicJSONTests
