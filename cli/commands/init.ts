/** `courant init`: writes an article and a workflow that publishes pushes. Overwrites nothing. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CliContext } from '../context.ts';
import { readCredentials } from '../credentials/credentials-file.ts';
import { ignoreAbsent } from '../failure.ts';
import { createWriteFailure, replaceFile } from '../replace-file.ts';
import { isLoopback, resolveEndpoint } from '../server/endpoint.ts';

export async function init(folder: string, context: CliContext): Promise<void> {
  const { config, terminal } = context;
  const { origin, graphqlUrl } = resolveEndpoint(undefined, config, (await readCredentials(config)).endpoint);
  const post = join(folder, 'posts', 'first-post.md');
  const workflow = join(folder, '.github', 'workflows', 'publish.yml');
  await writeNew(post, writePost(), context);
  // A runner cannot reach a server on this machine.
  const isLocal = isLoopback(new URL(origin).hostname);
  await writeNew(workflow, writeWorkflow(isLocal ? ENDPOINT_VARIABLE : graphqlUrl), context);
  const paint = terminal.notePaint;
  terminal.note(`Next: courant publish --dry-run ${paint.plain(post)}`);
  terminal.note('For the workflow, add your developer token to the repository as the secret SERVICE_TOKEN.');
  if (isLocal) {
    terminal.note(
      `${paint.plain(origin)} is this machine. Set the variable COURANT_ENDPOINT of the repository to the public address of your server.`,
    );
  }
}

const ENDPOINT_VARIABLE = `\${{ vars.COURANT_ENDPOINT }}`;

async function writeNew(path: string, content: string, { terminal: { out, outPaint: paint } }: CliContext) {
  try {
    if ((await lstat(path).catch(ignoreAbsent)) !== null)
      return out(`${paint.yellow('exists')} ${paint.plain(path)}, not overwritten`);
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, content, 0o666);
  } catch (error) {
    throw createWriteFailure(path, error);
  }
  out(`${paint.green('wrote')}  ${paint.plain(path)}`);
}

/** The random id distinguishes the article from one of the same name in another blog. */
function writePost(): string {
  return `---
title: My first post
# Publishing this file again updates the same article, whatever else changes.
id: first-post-${randomBytes(3).toString('hex')}
subtitle: What this blog is about
tags: [hello]
# Only you can see a draft. Remove this line, or write false, when it is ready.
draft: true
cross_post:
  blogsite_a: true
  blogsite_b: true
---

Write here, in Markdown. Then:

1. \`courant publish --dry-run posts/first-post.md\` checks the file and shows what each destination would receive.
2. \`courant publish posts/first-post.md\` publishes it and delivers it to your connected destinations.
`;
}

function writeWorkflow(endpoint: string): string {
  return `# Publishes each Markdown file below posts/ that a push added or changed.
name: publish
on:
  push:
    branches: [main]
    paths: ['posts/**']
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          fetch-depth: 0
      - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with:
          node-version: 20
      - env:
          SERVICE_TOKEN: \${{ secrets.SERVICE_TOKEN }}
          COURANT_ENDPOINT: ${endpoint}
          BEFORE: \${{ github.event.before }}
          AFTER: \${{ github.sha }}
        # With this shell, a failure of git fails the step.
        shell: bash
        # On a new branch, every file is published. Publishing an unchanged file changes nothing.
        run: |
          git cat-file -e "$BEFORE" 2>/dev/null || BEFORE=$(git hash-object -t tree /dev/null)
          git diff -z --name-only --diff-filter=AMR "$BEFORE" "$AFTER" -- 'posts/*.md' 'posts/*.mdx' |
            xargs -0 --no-run-if-empty npx --yes --package "\${COURANT_ENDPOINT%/graphql}/cli/courant.tgz" -- courant publish
`;
}
