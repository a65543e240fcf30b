// StoicLocalServer
