import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import type { Answer } from '../../../api/http-cache/respond.ts';
import { createAnswers } from '../../../api/http-cache/response-cache.ts';
import { createKeptAnswers, type KeptAnswers } from '../../../api/http-cache/cached-responses.ts';
import { Sendable } from '../../../api/http-cache/cached-response.ts';
import { CHANGE_CHANNEL } from '../../../store/changes/announcements.ts';
import { eventually } from '../../support/eventually.ts';

const MIB = 1024 * 1024;

function open(maxBytes = MIB): KeptAnswers {
  const kept = createKeptAnswers({ maxBytes });
  kept.audience.onListening();
  kept.audience.onHeard(performance.now());
  return kept;
}

function build(shows: Answer['shows'], more: Partial<Answer> = {}): Sendable {
  return new Sendable({ status: 200, type: 'text/plain', body: 'Text.', lastModified: new Date(), shows, ...more });
}

function keep(kept: KeptAnswers, key: string, sendable: Sendable): void {
  const making = kept.begin(key);
  making.keep(sendable);
  making.end();
}

const announce = (kept: KeptAnswers, payload: string) => kept.audience.channels[CHANGE_CHANNEL]?.(payload);

test('a change drops the answers that show it, and no others', () => {
  const kept = open();
  keep(kept, '/a', build(['article:1']));
  keep(kept, '/b', build(['article:2', 'articles']));
  announce(kept, 'article:1 author:9');
  assert.deepEqual([kept.get('/a') !== undefined, kept.get('/b') !== undefined], [false, true]);
  announce(kept, 'everything');
  assert.equal(kept.count, 0);
});

test('what was begun before a change of what it shows is not kept, whichever comes first to its end', () => {
  const kept = open();
  for (const [payload, isKept] of [
    ['article:1', false],
    ['everything', false],
    ['article:2', true],
  ] as const) {
    const making = kept.begin('/a');
    announce(kept, payload);
    making.keep(build(['article:1']));
    making.end();
    assert.equal(kept.get('/a') !== undefined, isKept, payload);
  }
});

test('what was begun while nothing was heard, or before the connection was lost, is not kept', () => {
  const kept = createKeptAnswers({ maxBytes: MIB });
  const making = kept.begin('/a');
  kept.audience.onListening();
  kept.audience.onHeard(performance.now());
  making.keep(build(['article:1']));
  assert.equal(kept.get('/a'), undefined);
  const another = kept.begin('/a');
  kept.audience.onLost();
  kept.audience.onListening();
  another.keep(build(['article:1']));
  assert.equal(kept.count, 0);
});

test('what was heard a second ago is not enough, and nothing is while nobody listens', () => {
  const kept = open();
  keep(kept, '/a', build(['article:1']));
  kept.audience.onHeard(performance.now() - 1_001);
  assert.equal(kept.get('/a'), undefined);
  kept.audience.onHeard(performance.now());
  assert.equal(kept.isTrusted(), true);
  kept.audience.onLost();
  kept.audience.onHeard(performance.now());
  assert.equal(kept.isTrusted(), false);
});

test('without a sign of life within the last second, and after a doubt, nothing is trusted until the next', () => {
  const kept = open();
  keep(kept, '/a', build(['article:1']));
  kept.doubt();
  assert.equal(kept.get('/a'), undefined);
  kept.audience.onHeard(performance.now() - 500);
  assert.equal(kept.get('/a'), undefined, 'that was asked before the doubt');
  kept.audience.onHeard(performance.now());
  assert.ok(kept.get('/a'));
  kept.audience.onHeard(performance.now() - 1_001);
  assert.equal(kept.get('/a'), undefined);
});

test('responses without cache tags, and 404 and 410, are not cached (A44)', () => {
  const kept = open();
  keep(kept, '/a', build([]));
  keep(kept, '/b', build(['article:1'], { status: 404 }));
  keep(kept, '/c', build(['article:1'], { status: 410 }));
  assert.equal(kept.count, 0);
});

test('who asks while an answer is made gets that one, and who asks after a change another one', async () => {
  const kept = open();
  const answers = createAnswers(kept);
  const makings: PromiseWithResolvers<Answer>[] = [];
  const make = () => {
    const making = Promise.withResolvers<Answer>();
    makings.push(making);
    return making.promise;
  };
  const app = fastify();
  app.get('/a', (request, reply) => answers.send(request, reply, { key: '/a', make }));
  await app.ready();
  const ask = async () => (await app.inject('/a')).body;
  const asked = [ask(), ask()];
  await eventually('the first making', async () => makings.length === 1);
  announce(kept, 'article:1');
  asked.push(ask());
  await eventually('the second making', async () => makings.length === 2);
  for (const [at, body] of ['Before.', 'After.'].entries()) {
    makings[at]?.resolve({ status: 200, type: 'text/plain', body, lastModified: null, shows: ['article:1'] });
  }
  assert.deepEqual(await Promise.all(asked), ['Before.', 'Before.', 'After.']);
  await app.close();
});

test('10,000 answers take no more than the bound; those that are asked for stay', async () => {
  const kept = open(2 * MIB);
  keep(kept, '/popular', build(['articles'], { body: 'x'.repeat(10_000) }));
  for (let number = 0; number < 10_000; number++) {
    // As a server hears it while it works, however slow the machine is.
    kept.audience.onHeard(performance.now());
    const sendable = build([`article:${number}`], { body: 'words '.repeat(1_000) });
    keep(kept, `/${number}`, sendable);
    if (number % 100 === 0) {
      assert.ok(kept.get('/popular'), String(number));
      await sendable.makeForm('gzip');
      kept.measureAgain(`/${number}`);
    }
    assert.ok(kept.bytes <= 2 * MIB);
  }
  assert.ok(kept.count > 100 && kept.count < 400, String(kept.count));
  assert.equal(kept.getAt('/0', undefined), undefined);
  keep(kept, '/large', build(['articles'], { body: 'x'.repeat(MIB) }));
  assert.equal(kept.get('/large'), undefined, 'one answer does not push out all others');
  assert.ok(kept.get('/popular'));
});

test('at its address an answer is found in the form that Accept asks for, however many different headers came before', () => {
  const kept = open();
  const page = build(['article:1'], { headers: { Vary: 'Accept' } });
  const markdown = build(['article:1'], { headers: { Vary: 'Accept' } });
  const document = build(['article:1']);
  keep(kept, '/a', page);
  assert.equal(kept.getAt('/a', 'text/markdown'), undefined, 'the other form is yet to be made');
  keep(kept, '/a as Markdown', markdown);
  keep(kept, '/b', document);
  for (let number = 0; number < 1_000; number++) assert.equal(kept.getAt('/a', `text/x-${number}`), page);
  for (const accept of [undefined, 'text/html', 'text/markdown;q=0.1, text/html']) {
    assert.equal(kept.getAt('/a', accept), page, accept);
  }
  assert.equal(kept.getAt('/a', 'text/markdown'), markdown);
  assert.equal(kept.getAt('/b', 'text/markdown'), document, 'it has one form');
  for (const url of ['/a/', '/a?x', '//a', '/%61', 'http://host/a'])
    assert.equal(kept.getAt(url, undefined), undefined);
  announce(kept, 'article:1');
  assert.equal(kept.getAt('/a', 'text/html'), undefined);
});
