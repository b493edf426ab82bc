/** A model file, or data meant for trees, that cannot be used; its message is a sentence for whoever made it. */
export class ModelError extends Error {
  override name = 'ModelError'
}
