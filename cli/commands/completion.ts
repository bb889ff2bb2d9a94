/**
 * `courant completion <shell>`: prints a completion script, generated from the declared commands.
 */
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { createInputFailure } from '../failure.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export function completion(shell: string, program: Command, { terminal }: CliContext): void {
  const write = WRITERS[shell as (typeof SHELLS)[number]];
  if (write === undefined) throw createInputFailure(`There is no completion for "${shell}".`, { hints: [HINT] });
  terminal.out(write(listCommands(program)).trimEnd());
}

const HINT = `Shells: ${SHELLS.join(', ')}.`;

interface CompletedCommand {
  name: string;
  description: string;
  flags: { long: string; description: string }[];
  /** Known values of the argument; files if empty. */
  words: string[];
}

const WORDS: Record<string, string[]> = {
  import: ['blogsite_a', 'blogsite_b', 'blogsite_c', 'rss'],
  completion: [...SHELLS],
};

function listCommands(program: Command): CompletedCommand[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    flags: [...command.options, { long: '--help', description: 'show help' }].flatMap(({ long, description }) =>
      long ? [{ long, description }] : [],
    ),
    words: WORDS[command.name()] ?? [],
  }));
}

const WRITERS: Record<(typeof SHELLS)[number], (commands: CompletedCommand[]) => string> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
};

function listWords({ flags, words }: CompletedCommand): string {
  return [...words, ...flags.map(({ long }) => long)].join(' ');
}

function writeBash(commands: CompletedCommand[]): string {
  const cases = commands.map((command) => `    ${command.name}) words="${listWords(command)}" ;;`);
  return `# bash completion for courant: source <(courant completion bash)
_courant() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case "$current" in
    -*) return ;;
  esac
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -X '!*.@(md|mdx|markdown)' -- "$current") $(compgen -d -- "$current"))
}
shopt -s extglob
complete -o filenames -F _courant courant
`;
}

function writeZsh(commands: CompletedCommand[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`;
  const cases = commands.map(({ name, flags, words }) => {
    const options = flags.map(({ long, description }) => quote(`${long}:${description}`).replace('\\:', ':')).join(' ');
    const completer = words.length === 0 ? `_files -g '*.(md|mdx|markdown)(-.)'` : `compadd ${words.join(' ')}`;
    return `    ${name}) options=(${options}); [[ $PREFIX == -* ]] && _describe option options -o || ${completer} ;;`;
  });
  const names = commands.map(({ name, description }) => quote(`${name}:${description}`).replace('\\:', ':'));
  return `#compdef courant
# zsh completion for courant: courant completion zsh > a folder of $fpath, as _courant; or: source <(courant completion zsh)
_courant() {
  local -a commands options
  commands=(${names.join(' ')})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
}
(( $+functions[compdef] )) && compdef _courant courant
`;
}

function writeFish(commands: CompletedCommand[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ name, description, flags, words }) => [
    `complete -c courant -n __fish_use_subcommand -f -a ${name} -d ${quote(description)}`,
    ...flags.map(
      (flag) =>
        `complete -c courant -n '__fish_seen_subcommand_from ${name}' -l ${flag.long.slice(2)} -d ${quote(flag.description)}`,
    ),
    ...(words.length === 0
      ? []
      : [`complete -c courant -n '__fish_seen_subcommand_from ${name}' -f -a '${words.join(' ')}'`]),
  ]);
  return `# fish completion for courant: courant completion fish > ~/.config/fish/completions/courant.fish\n${lines.join('\n')}\n`;
}
