/** Declares the commands and their flags, as `courant --help` lists them, and runs them. */
import { Command, CommanderError } from 'commander';
import { type ExportFlags, exportEverything } from './commands/export.ts';
import { type ImportFlags, importArticles } from './commands/import.ts';
import { type LoginOptions, login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { publish } from './commands/publish.ts';
import { acceptHyphens, addPublishFlags, type PublishFlags } from './commands/publish-flags.ts';
import { whoami } from './commands/whoami.ts';
import type { CliContext } from './context.ts';
import { EXIT, Failure, Interrupted } from './failure.ts';
import { neutraliseText } from './terminal/output.ts';
import { reportFailure } from './terminal/report.ts';
import { VERSION } from './version.ts';

/** Runs one command line (without `node` and the script) and returns the exit code. Never throws. */
export async function runCommandLine(args: string[], context: CliContext): Promise<number> {
  const { terminal } = context;
  try {
    await createProgram(context).parseAsync(acceptHyphens(args), { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Commander has already said what is wrong. --help and --version end here too, with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.invalid;
    if (error instanceof Interrupted) {
      terminal.note(error.message);
      return error.exitCode;
    }
    if (error instanceof Failure) {
      reportFailure(error, terminal);
      return error.exitCode;
    }
    const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
    terminal.note(`${terminal.notePaint.red('error:')} a bug in this program: ${neutraliseText(text)}`);
    return EXIT.failed;
  }
}

const EXIT_CODES = `
Exit codes:
  0  done
  1  the operation failed: network, server, authentication
  2  wrong usage, a document that cannot be published, or one that needs an answer or --yes`;

const ENVIRONMENT = `
Environment:
  SERVICE_TOKEN        developer token, before the stored one
  COURANT_ENDPOINT     GraphQL endpoint, before the stored one
  COURANT_CONFIG_DIR   folder of the stored credentials
  COURANT_ALLOW_HTTP   1: send tokens over plain http beyond this machine
  NO_COLOR             no colours`;

function createProgram(context: CliContext): Command {
  const { terminal } = context;
  const program = new Command('courant')
    .description('Publish Markdown, and have it delivered everywhere else.')
    .version(VERSION, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', `${ENVIRONMENT}\n${EXIT_CODES}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
      // Errors quote the arguments, and file names may hold anything.
      outputError: (text, write) => write(neutraliseText(text)),
    });

  const publishCommand = program
    .command('publish')
    .argument('<file>', 'Markdown or MDX file')
    .description('publish or update a Markdown file and request its delivery')
    .addHelpText('after', EXIT_CODES)
    .action((file: string, flags: PublishFlags) => publish(file, flags, context));
  addPublishFlags(publishCommand);

  program
    .command('import')
    .argument('<source>', 'blogsite_a, blogsite_b, blogsite_c or rss')
    .argument('<identifier>', 'user name, blog host, or the address of a feed')
    .description('import what you published elsewhere (needs "courant login")')
    .option('-d, --dry-run', 'store nothing, and say what would become of each post')
    .option('--limit <number>', 'only the newest so many')
    .option('--since <date>', 'only what was published since (ISO 8601)')
    .option('--draft', 'as drafts')
    .option('--images <keep|copy>', 'leave pictures where they are, or copy them to the server', 'keep')
    .option('--json', 'one JSON object a line: each post, then the import')
    .option('--endpoint <url>', 'GraphQL endpoint')
    .addHelpText('after', EXIT_CODES)
    .action((source: string, identifier: string, flags: ImportFlags) =>
      importArticles(source, identifier, flags, context),
    );
  program
    .command('export')
    .argument('<folder>', 'where the files are written')
    .description(
      'write everything back as files: each article as Markdown that publishes to the same article (needs "courant login")',
    )
    .option('--force', 'write over files that were changed here since the last export')
    .option('--json', 'one JSON object a line: each file, then the export')
    .option('--endpoint <url>', 'GraphQL endpoint')
    .addHelpText('after', EXIT_CODES)
    .action((folder: string, flags: ExportFlags) => exportEverything(folder, flags, context));
  program
    .command('login')
    .description('store a developer token, or log in with e-mail and password')
    .option('-t, --token <token>', 'developer token; "-" reads it from stdin')
    .option('--endpoint <url>', 'GraphQL endpoint, stored for the commands that follow')
    .action((options: LoginOptions) => login(options, context));
  program
    .command('logout')
    .description('clear the credentials stored on this machine')
    .action(() => logout(context));
  program
    .command('whoami')
    .description('show the stored authentication and endpoint')
    .action(() => whoami(context));
  for (const command of program.commands) command.showHelpAfterError(`Usage: courant ${command.name()} --help`);
  return program.showHelpAfterError('Usage: courant --help');
}
