/** A model file or training data that cannot be used; the message says what is wrong with it. */
export class ModelError extends Error {
  override name = 'ModelError'
}
