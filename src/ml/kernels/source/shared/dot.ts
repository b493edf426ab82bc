/** The dot product of two rows of floats; `line` is their length in bytes, a multiple of 32. */
// @ts-ignore: decorator
@inline
export function dot(query: usize, own: usize, line: usize): f32 {
  let a = f32x4.splat(0), b = a
  for (let c: usize = 0; c < line; c += 32) {
    a = f32x4.relaxed_madd(v128.load(query + c), v128.load(own + c), a)
    b = f32x4.relaxed_madd(v128.load(query + c, 16), v128.load(own + c, 16), b)
  }
  a = f32x4.add(a, b)
  return (f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1)) + (f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3))
}
