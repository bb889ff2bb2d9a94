/**
 * Writes the generated pages of `docs/reference/` and `.env.example`. With `--check`, fails if one
 * of them is outdated. Requires no database and no network.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { writeCommandLinePage } from './reference/command-line.ts';
import { writeEnvironmentExample, writeEnvironmentPage } from './reference/environment.ts';
import { writeErrorPage } from './reference/errors.ts';
import { writeGraphqlPage } from './reference/graphql.ts';
import { writeRestPage } from './reference/rest.ts';

const PAGES: Record<string, () => string> = {
  'docs/reference/rest.md': writeRestPage,
  'docs/reference/graphql.md': writeGraphqlPage,
  'docs/reference/cli.md': writeCommandLinePage,
  'docs/reference/environment.md': writeEnvironmentPage,
  'docs/reference/errors.md': writeErrorPage,
  '.env.example': writeEnvironmentExample,
};
const isCheck = process.argv.includes('--check');
const outdated: string[] = [];

for (const [path, write] of Object.entries(PAGES)) {
  const url = new URL(`../${path}`, import.meta.url);
  const text = `${write()}\n`;
  if (!isCheck) writeFileSync(url, text);
  else if (readFileSync(url, 'utf8') !== text) outdated.push(path);
}
if (outdated.length > 0) {
  process.stderr.write(`Outdated: ${outdated.join(', ')}. Run node scripts/reference.ts.\n`);
  process.exitCode = 1;
}
