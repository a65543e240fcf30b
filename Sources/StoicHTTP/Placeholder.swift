// StoicHTTP
