// StoicSchemaTests
