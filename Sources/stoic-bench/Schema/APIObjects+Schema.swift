import StoicSchema

extension APIObjects.User {
  static let schema: Schema<APIObjects.User> = .object(
    APIObjects.User.init,
    .field("id", \.id, .int), .field("login", \.login, .string), .field("name", \.name, .string),
    .field("email", \.email, .string), .field("avatarURL", \.avatarURL, .string),
    .field("isAdmin", \.isAdmin, .bool), .field("isVerified", \.isVerified, .bool),
    .field("followers", \.followers, .int), .field("following", \.following, .int),
    .field("score", \.score, .double), .field("bio", \.bio, .string),
    .optional("company", \.company, .string), .field("tags", \.tags, .array(.string)),
    .field("address", \.address, APIObjects.Address.schema), .field("createdAt", \.createdAt, .string),
    .field("repositories", \.repositories, .array(APIObjects.Repository.schema)))
}

extension APIObjects.Address {
  static let schema: Schema<APIObjects.Address> = .object(
    APIObjects.Address.init,
    .field("street", \.street, .string), .field("city", \.city, .string), .field("zip", \.zip, .string),
    .field("latitude", \.latitude, .double), .field("longitude", \.longitude, .double))
}

extension APIObjects.Repository {
  static let schema: Schema<APIObjects.Repository> = .object(
    APIObjects.Repository.init,
    .field("id", \.id, .int), .field("name", \.name, .string), .field("stars", \.stars, .int),
    .field("isFork", \.isFork, .bool), .optional("language", \.language, .string))
}
