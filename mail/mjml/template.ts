/** Templates of mails, written in MJML and Liquid: compiled once per process, with the first mail that needs one. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Template } from '../template.ts';

/** The first call of what is returned takes a second; after a failure the next one tries again. */
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

/** Where a template gets the head that all mails share: colours, type, dark mode. */
const HEAD = '<mj-head-of-every-mail />';

async function compile<View extends object>(source: URL): Promise<Template<View>> {
  const [body, head] = await Promise.all(
    [source, new URL('./head.mjml', import.meta.url)].map((file) => readFile(file, 'utf8')),
  );
  const compiling = runFile(process.execPath, [fileURLToPath(new URL('./compile-mjml.ts', import.meta.url))], {
    // It needs none of our variables, and must not get our credentials.
    env: {},
    timeout: 30_000,
    maxBuffer: 1024 * 1024,
  });
  // If the process ends before it has read everything, its exit reports the error; the broken pipe adds nothing.
  compiling.child.stdin?.on('error', () => undefined).end(body?.replace(HEAD, () => head ?? ''));
  const { stdout } = await compiling;
  // Loaded with the first mail, like the template: a worker that sends none does not need it.
  const { compileTemplate } = await import('../template.ts');
  // Indentation is a third of MJML's output, and Gmail cuts a mail at 102 KB.
  return compileTemplate(stdout.replace(/\n\s+/g, '\n'));
}

const runFile = promisify(execFile);
