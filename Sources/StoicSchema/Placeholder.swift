// StoicSchema
