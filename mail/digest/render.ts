/** Renders the digest: subject, HTML and text. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DigestContent } from './content.ts';
import type { Tone } from './figures.ts';
import { compileTemplate, type Template, type Values } from './template.ts';
import { formatDigestText } from './text.ts';
import { type DigestView, type Discussion, type Figure, viewDigest } from './view.ts';

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** Every text is written by strangers and is escaped. The first call of a process takes a second, later ones a fraction of a millisecond. */
export async function renderDigest(content: DigestContent): Promise<RenderedMail> {
  const view = viewDigest(content);
  const fill = await loadTemplate();
  return { subject: view.subject, html: fill(buildHtmlValues(view)), text: formatDigestText(view) };
}

let loading: Promise<Template> | undefined;

/** Compiled once per process, with the first digest; after a failure the next call tries again. */
function loadTemplate(): Promise<Template> {
  loading ??= compileMjml().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function compileMjml(): Promise<Template> {
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
  // Indentation is a third of MJML's output, and Gmail cuts a mail at 102 KB.
  return compileTemplate(stdout.replace(/\n\s+/g, '\n'));
}

const runFile = promisify(execFile);

function buildHtmlValues(view: DigestView): Values {
  const { reading, audience, newFollowers, articles, pending, engaged, ...texts } = view;
  return {
    ...texts,
    reading: reading.map(buildFigureValues),
    audience: audience.map(buildFigureValues),
    newFollowers: newFollowers === '' ? null : { names: newFollowers },
    hasArticles: articles.length > 0 ? {} : null,
    articles: articles.map(({ title, url, views, reactions }) => ({
      title,
      url,
      views: buildFigureValues(views),
      reactions: buildFigureValues(reactions),
    })),
    hasPending: pending.length > 0 ? {} : null,
    pending: pending.map(buildDiscussionValues),
    hasEngaged: engaged.length > 0 ? {} : null,
    engaged: engaged.map(buildDiscussionValues),
  };
}

/** Inline colours of the tones, beside their classes: dark mode overrides them by class, clients without it show the colour. */
const TONES: Record<Tone, string> = { up: '#1b6e3c', down: '#a8321f', same: '#62625c' };

function buildFigureValues({ label, value, change, tone }: Figure): Values {
  return { label, value, change, tone, colour: TONES[tone] };
}

function buildDiscussionValues({ title, url, comments, excerpt }: Discussion): Values {
  return { title, url, comments, excerpt: excerpt === '' ? null : { text: excerpt } };
}
