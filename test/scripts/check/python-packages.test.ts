/** The Python readers that other tests use. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolvePythonPackages } from '../../../scripts/check/python-packages.ts';
import { preparePython } from '../../support/python.ts';

const python = await preparePython();

test('the reference readers of llms.txt and of feeds are available', { skip: python.skip }, async () => {
  const program = `
import json, sys, feedparser
from llms_txt import parse_llms_file
print(json.dumps([feedparser.__version__, parse_llms_file(sys.stdin.read()).title]))`;
  assert.deepEqual(await python.run(program, '# Ünicode\n\n> Summary\n\n'), ['6.0.14', 'Ünicode']);
});

test('without python3 the reason for skipped tests is reported', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'courant-no-python-'));
  const env = { PATH: empty, XDG_CACHE_HOME: empty };
  await assert.rejects(resolvePythonPackages({ env, announce: () => undefined }), /python3 with pip is not installed/);
});
