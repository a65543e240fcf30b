/// Something that cannot be if the package is right.
struct Surprise: Error {
  let what: String
}
