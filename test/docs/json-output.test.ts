/** The page of the command line describes the JSON output of each command that has one. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('each command with the option --json is in the table of JSON output', () => {
  const page = readFileSync(new URL('../../docs/reference/cli.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('## JSON output');
  const sections = page.split(/^## courant /m).slice(1);
  const commands = sections.filter((text) => text.includes('| `--json` |')).map((text) => text.split('\n')[0]);
  assert.ok(commands.length > 4);
  assert.deepEqual(
    commands.filter((name) => !table.includes(`| \`${name}\` |`)),
    [],
  );
});
