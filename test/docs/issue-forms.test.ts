/** GitHub shows an issue form only if it is valid, and otherwise an empty field. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';

interface Form {
  name?: string;
  description?: string;
  body?: { type: string; id?: string; attributes?: { label?: string; value?: string; options?: string[] } }[];
}

const FOLDER = new URL('../../.github/ISSUE_TEMPLATE/', import.meta.url);

for (const file of readdirSync(FOLDER)) {
  test(`${file} is a valid issue form`, () => {
    const { name, description, body = [] } = parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Form;
    assert.ok(name && description && body.length > 0);
    for (const { type, id, attributes } of body) {
      assert.ok(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes'].includes(type), type);
      if (type === 'markdown') assert.ok(attributes?.value);
      else assert.ok(attributes?.label && /^[\w-]+$/.test(id ?? ''), id);
      if (type === 'dropdown') assert.ok(attributes?.options?.length);
    }
    const ids = body.flatMap(({ id }) => id ?? []);
    assert.equal(new Set(ids).size, ids.length);
  });
}
