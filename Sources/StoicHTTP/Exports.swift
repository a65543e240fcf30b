// A client's user imports this module and no other.
@_exported public import Stoic
@_exported public import StoicJSON
@_exported public import StoicSchema
