/** Renders the digest: subject, HTML and text. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Template } from '../template.ts';
import type { DigestContent } from './content.ts';
import { formatDigestText } from './text.ts';
import { type DigestView, viewDigest } from './view.ts';

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** Every text is written by strangers and is escaped. The first call of a process takes a second, later ones a fraction of a millisecond. */
export async function renderDigest(content: DigestContent): Promise<RenderedMail> {
  const view = viewDigest(content);
  const fill = await loadTemplate();
  return { subject: view.subject, html: fill(view), text: formatDigestText(view) };
}

let loading: Promise<Template<DigestView>> | undefined;

/** Compiled once per process, with the first digest; after a failure the next call tries again. */
function loadTemplate(): Promise<Template<DigestView>> {
  loading ??= compileMjml().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function compileMjml(): Promise<Template<DigestView>> {
  const source = await readFile(new URL('./digest.mjml', import.meta.url));
  const compiling = runFile(process.execPath, [fileURLToPath(new URL('./compile-mjml.ts', import.meta.url))], {
    // It needs none of our variables, and must not get our credentials.
    env: {},
    timeout: 30_000,
    maxBuffer: 1024 * 1024,
  });
  // If the process ends before it has read everything, its exit reports the error; the broken pipe adds nothing.
  compiling.child.stdin?.on('error', () => undefined).end(source);
  const { stdout } = await compiling;
  // Loaded with the first digest, like the template: a worker that sends none does not need it.
  const { compileTemplate } = await import('../template.ts');
  // Indentation is a third of MJML's output, and Gmail cuts a mail at 102 KB.
  return compileTemplate(stdout.replace(/\n\s+/g, '\n'));
}

const runFile = promisify(execFile);
