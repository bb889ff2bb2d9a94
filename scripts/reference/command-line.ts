/** Writes the page of the command line from its declarations. */
import type { CliContext } from '../../cli/context.ts';
import { EXIT } from '../../cli/failure.ts';
import { createProgram } from '../../cli/program.ts';
import { codeNames, wrapText, writeCode, writeHead, writeTable } from './markdown.ts';

type Command = ReturnType<typeof createProgram>;
type Option = Command['options'][number];

export function writeCommandLinePage(): string {
  // Declaring the commands uses nothing of the context.
  const program = createProgram({} as CliContext);
  const head = writeHead(
    'Command line',
    'After reading this page you can look up every command, option and exit code of `courant`. The ' +
      '[guide](../guide/command-line.md) explains its use; `courant <command> --help` prints the same list.',
  );
  const commands = program.commands.filter((command) => command.name() !== 'help').map(writeCommand);
  return [head, EXAMPLE, ...commands, writeExitCodes(), JSON_OUTPUT, ENVIRONMENT].join('\n\n');
}

const EXAMPLE = '```sh\ncourant publish --dry-run posts/hello.md\n```';

function writeCommand(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const about = codeNames(command.description());
  const parts = [
    `## courant ${command.name()}`,
    `\`courant ${[command.name(), ...names].join(' ')}\``,
    wrapText(`${about.charAt(0).toUpperCase()}${about.slice(1)}.`),
  ];
  if (names.length > 0) {
    const rows = command.registeredArguments.map((argument, index) => [
      writeCode(names[index] ?? ''),
      `${codeNames(argument.description)}${writeDefault(argument.defaultValue)}`,
    ]);
    parts.push(writeTable(['Argument', 'Meaning'], rows));
  }
  if (command.options.length > 0) parts.push(writeTable(['Option', 'Meaning'], command.options.map(writeOption)));
  return parts.join('\n\n');
}

function writeOption({ flags, description, defaultValue }: Option): string[] {
  return [flags.split(', ').map(writeCode).join(', '), `${codeNames(description)}${writeDefault(defaultValue)}`];
}

function writeDefault(value: unknown): string {
  return typeof value === 'string' ? ` (default: ${writeCode(value)})` : '';
}

const MEANINGS: Record<keyof typeof EXIT, string> = {
  ok: 'Done, possibly with warnings.',
  failed:
    'The operation failed: network, server, authentication, stored credentials, disk or output. The document may be ' +
    'valid. With `--wait`, also a delivery that was rejected, needs attention or has no outcome in time. With ' +
    '`whoami`, nobody is logged in. With `export`, a file was changed here since the last export.',
  invalid:
    'Wrong usage; a document that this program or the server rejects; or a document that requires confirmation and ' +
    'was not confirmed, because it may not be meant for the public or pictures will not load.',
  interrupted: 'Ended by Ctrl-C.',
  terminated: 'Ended by SIGTERM.',
};

function writeExitCodes(): string {
  const rows = Object.entries(EXIT).map(([name, code]) => [String(code), MEANINGS[name as keyof typeof EXIT]]);
  const note =
    'Results go to stdout, everything else to stderr. A result that cannot be written ends the command with 1; a closed ' +
    'pipe (`| head`) does not.';
  return `## Exit codes\n\n${writeTable(['Code', 'Meaning'], rows)}\n\n${wrapText(note)}`;
}

const JSON_ROWS = [
  ['`publish`', '`{file, success, action, data, warnings}` per file: the response of the server'],
  [
    '`publish --wait`',
    'also `delivered` and `deliveries: [{destination, state, remoteUrl, error, errorCode, attempts, nextAttemptAt, ' +
      'deliveredRevision, withdrawnAt}]`',
  ],
  [
    '`publish --dry-run`',
    '`{success, dryRun, file, payload, summary, warnings, doubts, hints, destinations: [{destination, platform, label, ' +
      'refusal, losses, lasting}]}`',
  ],
  ['`publish --show`', 'also `show: [{platform, label, payload}]`'],
  ['`status`', '`{id, slug, title, status, url, revision, scheduledAt, updatedAt, deliveries}`'],
  ['`send`', '`{destination, account, offers, sent}`; `sent` contains slugs'],
  ['`import`', '`{type: "item", …}` per post, then `{type: "import", …}`'],
  ['`export`', '`{type: "file", path, outcome}` per file, then `{type: "export", folder, counts}`'],
  [
    '`whoami`',
    '`{endpoint, account, session: {email, accessUntil}, publishesWith: {token, source}, file}`; null where there is none',
  ],
  [
    'a failure',
    '`{success: false, message, exitCode, file, errors: [{path, message, line, column}], hints, status, code, requestId}`',
  ],
  [
    'a file that was not sent because of an earlier one',
    '`{success: false, file, code: "not_sent", message, errors: []}`',
  ],
];

const JSON_OUTPUT = `## JSON output

${wrapText(
  'With `--json`, stdout has one JSON object per line. Text for people stays on stderr. Wrong usage and Ctrl-C also print ' +
    'a failure. Fields may be added; none is renamed or removed within a major version. `lasting` lists what a ' +
    'destination cannot change or withdraw later.',
)}

${writeTable(['Command', 'Object'], JSON_ROWS)}`;

const ENVIRONMENT = `## Environment

${wrapText(
  'The variables are in [environment variables](environment.md#command-line). `NODE_DISABLE_COMPILE_CACHE=1` stores no ' +
    'compiled code; otherwise Node.js 22.1 and later store it in `$XDG_CACHE_HOME/courant/cli` (`~/.cache/courant/cli`, ' +
    '`%LOCALAPPDATA%\\courant\\cli`).',
)}`;
