/** Loads mail templates in MJML and Liquid. Each is compiled once per process, on first use. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * The first call of the returned function takes a second. After a failure the next call compiles
 * again.
 */
export function lazyTemplate<View extends object>(source: URL): () => Promise<Template<View>> {
  let loading: Promise<Template<View>> | undefined;
  return () => {
    loading ??= compile<View>(source).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** The placeholder for the head that all mails share: colours, type, dark mode. */
const HEAD = '<mj-head-of-every-mail />';

async function compile<View extends object>(source: URL): Promise<Template<View>> {
  const [body, head] = await Promise.all(
    [source, new URL('./head.mjml', import.meta.url)].map((file) => readFile(file, 'utf8')),
  );
  const compiling = runFile(process.execPath, [fileURLToPath(new URL('./compile-mjml.ts', import.meta.url))], {
    // The process needs no variables and must not receive credentials.
    env: {},
    timeout: 30_000,
    maxBuffer: 1024 * 1024,
  });
  // If the process ends early, its exit reports the error and the broken pipe is ignored.
  compiling.child.stdin?.on('error', () => undefined).end(body?.replace(HEAD, () => head ?? ''));
  const { stdout } = await compiling;
  // Indentation is a third of MJML's output, and Gmail truncates a mail at 102 KB.
  return compileTemplate(stdout.replace(/\n\s+/g, '\n'));
}

const runFile = promisify(execFile);

type Template<Values extends object> = (values: Values) => string;

/** Inline colours of the tones, for mail clients without dark mode, which overrides them by class. */
const COLOURS: Record<string, string> = { up: '#1b6e3c', down: '#a8321f', same: '#62625c' };

/**
 * The templates are ours, but strangers write the values: every value is escaped, and a name
 * without a value is an error. Rejects if a tag is unknown or not closed.
 */
export async function compileTemplate<Values extends object>(source: string): Promise<Template<Values>> {
  // Loaded with the first mail, because many workers send none.
  const { Liquid } = await import('liquidjs');
  const strict = { strictVariables: true, strictFilters: true, ownPropertyOnly: true };
  const liquid = new Liquid({ ...strict, outputEscape: 'escape' });
  liquid.registerFilter('colour', (tone: string) => COLOURS[tone]);
  const parts = liquid.parse(source);
  return (values) => String(liquid.renderSync(parts, values));
}
