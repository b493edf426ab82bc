// Completion of commands and options for shells. The script is made from the declarations of the commands.

import { type Command, UsageError } from './command.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

interface Completed {
  name: string
  summary: string
  options: string[]
}

interface Entry {
  name: string
  summary: string
  load(): Promise<Pick<Command, 'options'>>
}

export const completionCommand = (commands: readonly Entry[]): Command => ({
  usage: shells.join(' | '),
  help: `Prints a script that completes commands and options. To use it:

  bash   source <(npx bozor completion bash)
  zsh    source <(npx bozor completion zsh)
  fish   npx bozor completion fish | source`,
  options: {},
  async run(context, { positionals: [wanted] }) {
    const shell = shells.find((it) => it === wanted)
    if (!shell) throw new UsageError(`name a shell: ${shells.join(', ')}`)
    const list = await Promise.all(
      commands.map(async ({ name, summary, load }) => ({
        name,
        summary,
        options: Object.keys((await load()).options).map((it) => `--${it}`),
      })),
    )
    context.print(completionScript(shell, list))
    return 0
  },
})

export const completionScript = (shell: Shell, list: readonly Completed[]): string =>
  shell === 'fish'
    ? fishScript(list)
    : `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}${bashScript(list)}`

const bashScript = (list: readonly Completed[]): string => `_bozor() {
  local words
  case "\${COMP_CWORD} \${COMP_WORDS[1]}" in
    "1 "*) words="${['help', ...list.map((it) => it.name)].join(' ')}" ;;
${list.map((it) => `    *" ${it.name}") words="${[...it.options, '--help'].join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _bozor bozor`

const fishScript = (list: readonly Completed[]): string =>
  list
    .flatMap(({ name, summary, options }) => [
      `complete -c bozor -f -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '')}'`,
      ...options.map((it) => `complete -c bozor -n '__fish_seen_subcommand_from ${name}' -l ${it.slice(2)}`),
    ])
    .join('\n')
