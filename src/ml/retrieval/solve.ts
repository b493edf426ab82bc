// The plain solver that the kernels are checked against.

/** The solution of a symmetric positive system by Cholesky, in place; zeros where the matrix is not positive. */
export const solveSymmetric = (matrix: Float64Array, vector: Float64Array): Float64Array =>
  factorise(matrix, vector.length) ? solveFactorised(matrix, vector) : new Float64Array(vector.length)

/** Writes the factor of Cholesky into the upper half of a symmetric matrix; false where that is not positive. */
export function factorise(matrix: Float64Array, k: number): boolean {
  for (let j = 0; j < k; j++) {
    for (let p = 0; p < j; p++) {
      const factor = matrix[p * k + j]!
      for (let c = j; c < k; c++) matrix[j * k + c]! -= factor * matrix[p * k + c]!
    }
    const root = Math.sqrt(matrix[j * k + j]!)
    if (!(root > 0)) return false
    for (let c = j; c < k; c++) matrix[j * k + c]! /= root
  }
  return true
}

/** The solution for a matrix that `factorise` has changed, in place. */
export function solveFactorised(matrix: Float64Array, vector: Float64Array): Float64Array {
  const k = vector.length
  for (let j = 0; j < k; j++) {
    for (let p = 0; p < j; p++) vector[j]! -= matrix[p * k + j]! * vector[p]!
    vector[j]! /= matrix[j * k + j]!
  }
  for (let j = k - 1; j >= 0; j--) {
    for (let c = j + 1; c < k; c++) vector[j]! -= matrix[j * k + c]! * vector[c]!
    vector[j]! /= matrix[j * k + j]!
  }
  return vector
}
