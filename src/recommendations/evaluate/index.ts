// The entry point of `bozor evaluate`, separate from the server's because it loads the whole of src/ml.

export {
  engines,
  evaluate,
  tasks,
  type Engine,
  type EvaluateOptions,
  type Evaluation,
  type Task,
} from './evaluate.ts'
export { InputError } from './read-lines.ts'
