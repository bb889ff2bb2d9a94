/**
 * Snapshots of what each format sends, and of the notices that the author reads, in `payloads/`: tables
 * of platform × article. A changed table is changed behaviour. `node --test --test-update-snapshots`
 * rewrites the tables.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import type { DestinationDescriptor } from '../../destinations/types.ts';
import { BODIES, FIELDS, PLAIN } from './payloads/cases.ts';
import { ROWS } from './rows/index.ts';

const MAX_CHARACTERS = 2_000;

for (const { destination } of ROWS) {
  test(`${destination.label} formats each article as recorded`, (context) => {
    const plain = destination.format(PLAIN).payload;
    const lines = ['plain', ...describe(destination, PLAIN, {})];
    for (const [name, changes] of Object.entries(FIELDS)) {
      lines.push(name, ...describe(destination, { ...PLAIN, ...changes }, plain));
    }
    for (const [name, body] of Object.entries(BODIES)) {
      lines.push(`body: ${name}`, ...describe(destination, { ...PLAIN, body }, plain));
    }
    const file = join(import.meta.dirname, 'payloads', `${destination.platform}.txt`);
    context.assert.fileSnapshot(lines.join('\n'), file, { serializers: [(text: string) => `${text}\n`] });
  });
}

/** The parts of the payload that differ from the plain article's, and the notices. */
function describe({ format }: DestinationDescriptor, article: DeliverableArticle, plain: unknown): string[] {
  const { payload, losses, refusal } = format(article);
  return [
    ...listChanges(payload, plain).map((change) => `  ${change}`),
    ...losses.map((loss) => `  loss: ${describeNotice(loss)}`),
    ...(refusal ? [`  refusal: ${describeNotice(refusal)}`] : []),
  ];
}

function listChanges(value: unknown, plain: unknown, path = ''): string[] {
  if (JSON.stringify(value) === JSON.stringify(plain)) return [];
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [`${path}: ${shorten(value)}`];
  const former = (plain ?? {}) as Record<string, unknown>;
  return Object.entries(value).flatMap(([name, part]) =>
    listChanges(part, former[name], path ? `${path}.${name}` : name),
  );
}

function describeNotice({ code, message, path, line, column }: Notice<string>): string {
  assert.equal(column, undefined);
  return [code, ...(path ? [`(${path})`] : []), ...(line ? [`(line ${line})`] : []), message].join(' ');
}

/** Long texts with their beginning, end and length. */
function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, 200)} … ${text.slice(-200)} (${text.length} characters)`;
}
