// The door of measuring, apart from the server's: it brings the whole learning core with it.

export { evaluate, tasks, type EvaluateOptions, type Evaluation, type Task } from './evaluate.ts'
export { InputError } from './read-lines.ts'
