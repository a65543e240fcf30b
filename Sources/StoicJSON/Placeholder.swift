// StoicJSON
