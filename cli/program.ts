/**
 * Declares the commands and flags of `courant`, and runs them. Each command is loaded when it runs,
 * because loading takes longer than most commands.
 */
import { Command, CommanderError } from 'commander';
import { addPublishFlags, normaliseFlags } from './commands/publish/flags.ts';
import type { CliContext } from './context.ts';
import {
  createFailure,
  createInputFailure,
  describeOutputError,
  EXIT,
  Failure,
  Interrupted,
  ReportedFailure,
} from './failure.ts';
import { formatJsonLine, neutraliseText, type Terminal } from './terminal/output.ts';
import { formatFailureJson, reportFailure } from './terminal/report.ts';
import { VERSION } from './version.ts';

/** Runs one command line (without `node` and the script). Returns the exit code; never throws. */
export async function runCommandLine(args: string[], context: CliContext): Promise<number> {
  const { terminal } = context;
  try {
    await createProgram(context).parseAsync(normaliseFlags(args), { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    const { exitCode, json } = printFailure(error, terminal);
    // People get the text on stderr; a script also gets a JSON object on failure.
    if (json !== null && requestsJson(args)) terminal.out(formatJsonLine(json));
    return exitCode;
  }
}

/** Prints the failure. `json` is null if nothing failed or all failures are reported as JSON. */
function printFailure(error: unknown, terminal: Terminal): { exitCode: number; json: Record<string, unknown> | null } {
  if (error instanceof CommanderError) {
    // Commander has printed it. --help and --version end here too, with 0.
    if (error.exitCode === 0) return { exitCode: EXIT.ok, json: null };
    return { exitCode: EXIT.invalid, json: formatFailureJson(createInputFailure(error.message)) };
  }
  if (error instanceof Interrupted) {
    terminal.note(error.message);
    const json = { ...formatFailureJson(createFailure(error.message)), exitCode: error.exitCode };
    return { exitCode: error.exitCode, json };
  }
  if (error instanceof Failure) {
    reportFailure(error, terminal);
    return { exitCode: error.exitCode, json: error instanceof ReportedFailure ? null : formatFailureJson(error) };
  }
  // Node.js 20 throws if a file does not accept the output, such as on a full disk; later versions
  // emit an error.
  if (error instanceof Error && 'syscall' in error && error.syscall === 'write') {
    terminal.note(describeOutputError(error));
    return { exitCode: EXIT.failed, json: null };
  }
  const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
  terminal.note(`${terminal.notePaint.red('error:')} a bug in this program: ${neutraliseText(text)}`);
  return { exitCode: EXIT.failed, json: formatFailureJson(createFailure(`A bug in this program: ${String(error)}`)) };
}

/** Reads the raw arguments, because those of an invalid command line are not parsed. */
function requestsJson(args: string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).includes('--json');
}

const EXIT_CODES = `
Exit codes:
  0  done
  1  failed: network, server, token or disk; with --wait, also a delivery
  2  wrong usage, or a document that cannot be published or needs confirmation`;

const ENVIRONMENT = `
Environment:
  SERVICE_TOKEN        developer token, used before the stored one
  COURANT_ENDPOINT     GraphQL endpoint, used before the stored one
  COURANT_CONFIG_DIR   folder of the stored credentials
  COURANT_ALLOW_HTTP   1: send tokens over plain http beyond this machine
  NO_COLOR             no colours`;

/** Declares the commands. Uses `context` only when a command runs. */
export function createProgram(context: CliContext): Command {
  const { terminal } = context;
  const program = new Command('courant')
    .description('Publish Markdown and deliver it to other platforms.')
    .version(VERSION, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help')
    // Lists arguments without "[options]", so that descriptions have more space.
    .configureHelp({ minWidthToWrap: 20, subcommandTerm: (command) => describeCall(command) })
    .addHelpText('after', `${ENVIRONMENT}\n${EXIT_CODES}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
      // Errors quote the arguments, which may contain control characters.
      outputError: (text, write) => write(neutraliseText(text)),
    });

  // Commander passes the arguments, the flags and itself.
  const run =
    (load: () => Promise<(...given: never[]) => Promise<void>>) =>
    async (...given: unknown[]) =>
      (await load())(...([...given.slice(0, -1), context] as never[]));

  const publish = program
    .command('publish')
    .argument('<files...>', 'Markdown or MDX files, folders of them, or patterns such as "posts/**/*.md"')
    .description('publish or update Markdown files and request their delivery')
    .addHelpText('after', EXIT_CODES)
    .action(run(async () => (await import('./commands/publish/publish.ts')).publish));
  addPublishFlags(publish);
  program
    .command('status')
    .argument('<file|slug>', 'the published file, or the slug in its address')
    .description('show the state of an article at each destination (needs "courant login")')
    .option(...ENDPOINT)
    .option(...JSON_OBJECT)
    .action(run(async () => (await import('./commands/status.ts')).status));
  program
    .command('send')
    .argument('<destination>', 'blogsite_a, blogsite_b, blogsite_c, social_feed or cms_site')
    .argument('[slugs...]', 'slugs of the listed articles to send')
    .description('list and send the articles missing at a newly connected account (needs "courant login")')
    .option('--all', 'send all of them')
    .option(...ENDPOINT)
    .option(...JSON_OBJECT)
    .action(run(async () => (await import('./commands/send.ts')).send));
  program
    .command('import')
    .argument('<source>', 'blogsite_a, blogsite_b, blogsite_c or rss')
    .argument('<identifier>', 'user name, blog host, or the address of a feed')
    .description('import your articles from another platform (needs "courant login")')
    .option('-d, --dry-run', 'store nothing, and show the result for each post')
    .option('--limit <number>', 'import only this many of the newest posts')
    .option('--since <date>', 'import only posts published since (ISO 8601)')
    .option('--draft', 'import as drafts')
    .option('--images <keep|copy>', 'leave pictures where they are, or copy them to the server', 'keep')
    .option('--json', 'one JSON object per line: each post, then the import')
    .option(...ENDPOINT)
    .addHelpText('after', EXIT_CODES)
    .action(run(async () => (await import('./commands/import.ts')).importArticles));
  program
    .command('export')
    .argument('<folder>', 'where the files are written')
    .description(
      'export your account as files: each article as Markdown that publishes to the same article (needs "courant login")',
    )
    .option('--force', 'overwrite files that changed here since the last export')
    .option('--json', 'one JSON object per line: each file, then the export')
    .option(...ENDPOINT)
    .addHelpText('after', EXIT_CODES)
    .action(run(async () => (await import('./commands/export.ts')).exportEverything));
  program
    .command('login')
    .description('log in with e-mail and password, or store a developer token')
    .option('-t, --token [token]', 'developer token; without a value, or with "-", read from the prompt or stdin')
    .option('--email <address>', 'e-mail address; without it, read from the prompt')
    .option('--password-stdin', 'read the password from stdin')
    .option('--endpoint <url>', 'GraphQL endpoint, stored for later commands')
    .action(run(async () => (await import('./commands/login.ts')).login));
  program
    .command('logout')
    .description('end the session at the server and remove the credentials stored on this machine')
    .option('--endpoint <url>', 'only the credentials of this server')
    .action(run(async () => (await import('./commands/logout.ts')).logout));
  program
    .command('whoami')
    .description('show who is logged in, the stored authentication and the endpoint')
    .option(...ENDPOINT)
    .option('--offline', 'do not contact the server')
    .option(...JSON_OBJECT)
    .action(run(async () => (await import('./commands/whoami.ts')).whoami));
  program
    .command('init')
    .argument('[folder]', 'where to write', '.')
    .description('write a first article, and a workflow that publishes pushed files; overwrites nothing')
    .action(async (folder: string) => (await import('./commands/init.ts')).init(folder, context));
  for (const command of program.commands) command.showHelpAfterError(`Usage: courant ${command.name()} --help`);
  return program.showHelpAfterError('Usage: courant --help');
}

const ENDPOINT = ['--endpoint <url>', 'GraphQL endpoint'] as const;
const JSON_OBJECT = ['--json', 'print one JSON object'] as const;

function describeCall(command: Command): string {
  const argumentNames = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...argumentNames].join(' ');
}
