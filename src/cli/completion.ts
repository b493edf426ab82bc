// Completion of commands, actions and options for shells. The script is made from the declarations of the commands.

import { type Command, UsageError } from './command.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

interface Completed {
  name: string
  summary: string
  /** The words that the first argument may be. */
  actions: readonly string[]
  options: string[]
}

interface Entry {
  name: string
  summary: string
  load(): Promise<Pick<Command, 'options' | 'actions'>>
}

/** Values of options that are the same in every command. */
const values: Record<string, readonly string[]> = {
  '--env': ['live', 'test'],
  '--level': ['debug', 'info', 'warn', 'error'],
}

export const completionCommand = (commands: readonly Entry[]): Command => ({
  usage: shells.join(' | '),
  help: `Prints a script that completes commands, actions and options. To use it:

  bash   source <(npx bozor completion bash)
  zsh    source <(npx bozor completion zsh)
  fish   npx bozor completion fish | source`,
  actions: shells,
  options: {},
  async run(context, { positionals: [wanted] }) {
    const shell = shells.find((it) => it === wanted)
    if (!shell) throw new UsageError(`name a shell: ${shells.join(', ')}`)
    const list = await Promise.all(
      commands.map(async ({ name, summary, load }) => {
        const { options, actions = [] } = await load()
        return { name, summary, actions, options: Object.keys(options).map((it) => `--${it}`) }
      }),
    )
    context.print(completionScript(shell, list))
    return 0
  },
})

export const completionScript = (shell: Shell, list: readonly Completed[]): string => {
  const help = { name: 'help', summary: 'show help', actions: list.map((it) => it.name), options: [] }
  return shell === 'fish'
    ? fishScript([help, ...list])
    : `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}${bashScript([help, ...list])}`
}

const bashScript = (list: readonly Completed[]): string => `_bozor() {
  local words
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${Object.entries(values)
  .map(([option, words]) => `    ${option}) words="${words.join(' ')}" ;;`)
  .join('\n')}
  esac
  [ -n "$words" ] || case "\${COMP_CWORD} \${COMP_WORDS[1]}" in
    "1 "*) words="${list.map((it) => it.name).join(' ')}" ;;
${list.flatMap(bashRows).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _bozor bozor`

/** The first argument may be an action; after it come options. */
function bashRows({ name, actions, options }: Completed): string[] {
  const all = [...options, '--help'].join(' ')
  const first = actions.length > 0 ? [`    "2 ${name}") words="${actions.join(' ')} ${all}" ;;`] : []
  return [...first, `    *" ${name}") words="${all}" ;;`]
}

const fishScript = (list: readonly Completed[]): string =>
  list
    .flatMap(({ name, summary, actions, options }) => [
      `complete -c bozor -f -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '')}'`,
      ...(actions.length > 0
        ? [
            `complete -c bozor -f -n '__fish_seen_subcommand_from ${name}; and test (count (commandline -opc)) -eq 2' -a '${actions.join(' ')}'`,
          ]
        : []),
      ...options.map((it) => fishOption(name, it)),
    ])
    .join('\n')

function fishOption(name: string, option: string): string {
  const words = values[option]
  const completed = `complete -c bozor -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`
  return words ? `${completed} -x -a '${words.join(' ')}'` : completed
}
