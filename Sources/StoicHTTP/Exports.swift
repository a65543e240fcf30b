// One import of ours is enough for a user of the client.
@_exported public import Stoic
@_exported public import StoicJSON
@_exported public import StoicSchema
