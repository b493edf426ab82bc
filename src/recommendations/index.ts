// The door of recommendations: all that others may use.

export { evaluate, tasks, type EvaluateOptions, type Evaluation, type Task } from './evaluate/evaluate.ts'
export { InputError } from './evaluate/read-lines.ts'
