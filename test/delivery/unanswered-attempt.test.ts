/** What the author of an attempt that nobody answered reads of it: what is being done, by what is due. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeUnanswered } from '../../delivery/describe-unanswered.ts';
import { nextStep } from '../../delivery/next-step.ts';
import type { InFlight, PlatformRules } from '../../delivery/types.ts';
import { buildSituation, createOnly, type Given, withLookUp, withRepeat } from './support/situation.ts';
import { CREATING, CUT, OPEN, repeatable, TIMEOUTS } from './support/steps.ts';

const LIVE = { presence: 'live', remoteId: 'r' } as const;
const open = (action: InFlight['action']) => ({ inFlight: { ...OPEN, action } });
const sent = (action: InFlight['action']) => ({ unanswered: [{ action, hash: 'h1', forMs: 1_000 }] });

const CASES: [name: string, given: Given, platform: PlatformRules, says: RegExp | null][] = [
  [
    'a create, where the platform can be asked',
    { delivery: CREATING },
    withLookUp,
    /is asked whether the post is there/,
  ],
  [
    'a create, where an identical request is recognised',
    { delivery: repeatable(500) },
    withRepeat,
    /very same request is sent once more/,
  ],
  ['a create, where nobody can be asked', { delivery: CREATING }, createOnly, /you are asked to look there/],
  [
    'an update',
    { delivery: { ...LIVE, ...open('update'), ...sent('update') } },
    withLookUp,
    /The request is repeated\.$/,
  ],
  [
    'an update of a post that is to be taken back',
    { article: { status: 'DRAFT' }, delivery: { ...LIVE, ...open('update'), ...sent('update') } },
    withLookUp,
    /withdrawn now, and again when/,
  ],
  ['a withdrawal of a post that is published again', { delivery: { ...LIVE, ...open('withdraw') } }, withLookUp, null],
  [
    'a withdrawal',
    { article: { status: 'DRAFT' }, delivery: { ...LIVE, ...open('withdraw'), ...sent('withdraw') } },
    withLookUp,
    /The request is repeated\.$/,
  ],
  ['an attempt that was answered', { delivery: CUT }, withLookUp, null],
  ['no attempt at all', {}, withLookUp, null],
];

for (const [name, given, platform, says] of CASES) {
  test(`${name}: ${says?.source ?? 'nothing'}`, () => {
    const situation = buildSituation(given);
    const step = nextStep(situation, platform, TIMEOUTS);
    assert.notEqual(step.kind, 'rest');
    const said = step.kind === 'rest' ? null : describeUnanswered(situation.delivery.inFlight, step);
    if (says === null) return assert.equal(said, null);
    assert.match(said ?? '', says);
    assert.match(
      said ?? '',
      /^It is not known yet how the last attempt ended: it was interrupted before its answer was stored\. /,
    );
  });
}
