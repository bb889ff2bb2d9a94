/** The digest as a mail: subject, HTML and text. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DigestContent } from './digest-content.ts';
import { formatDigestText } from './digest-text.ts';
import { type DigestView, type Discussion, type Figure, viewDigest } from './digest-view.ts';
import type { Tone } from './figures.ts';
import { compileTemplate, type Template, type Values } from './template.ts';

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** Every text in it is a stranger's and is escaped. The first call of a process takes a second, later ones a fraction of a millisecond. */
export async function renderDigest(content: DigestContent): Promise<RenderedMail> {
  const view = viewDigest(content);
  const fill = await loadTemplate();
  return { subject: view.subject, html: fill(buildHtmlValues(view)), text: formatDigestText(view) };
}

let loading: Promise<Template> | undefined;

/** Compiled once a process, when the first digest is due; a failure is not kept. */
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
    // Nothing of ours is its business, credentials least of all.
    env: {},
    timeout: 30_000,
    maxBuffer: 1024 * 1024,
  });
  // A process that ends before it has read is told of by its exit; the broken pipe says nothing more.
  compiling.child.stdin?.on('error', () => undefined).end(source);
  const { stdout } = await compiling;
  // Indentation is a third of what MJML writes, and Gmail cuts a mail at 102 KB.
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

/** The tones' colours stand beside their classes: dark mode overrides the class, clients without it see the colour. */
const TONES: Record<Tone, string> = { up: '#1b6e3c', down: '#a8321f', same: '#62625c' };

function buildFigureValues({ label, value, change, tone }: Figure): Values {
  return { label, value, change, tone, colour: TONES[tone] };
}

function buildDiscussionValues({ title, url, comments, excerpt }: Discussion): Values {
  return { title, url, comments, excerpt: excerpt === '' ? null : { text: excerpt } };
}
