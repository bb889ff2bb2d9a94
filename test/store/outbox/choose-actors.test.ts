import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArticleStatus } from '../../../article/types.ts';
import { type ActorsToWake, chooseActors, type PublishedState } from '../../../store/outbox/choose-actors.ts';

const NONE = { blogsite_a: false, blogsite_b: false, blogsite_c: false, cms_site: false, social_feed: false };
const A = { ...NONE, blogsite_a: true };
/** A new public article that asks for nothing, of an author without connections. */
const NEW: PublishedState = {
  status: 'PUBLISHED',
  statusBefore: null,
  syndicate: true,
  crossPost: NONE,
  connected: [],
  hasDeliveries: false,
};

const CASES: [what: string, state: Partial<PublishedState>, wakes: ActorsToWake][] = [
  ['a new draft', { status: 'DRAFT', crossPost: A, connected: ['blogsite_a'] }, 'none'],
  ['a new article of an author without connections', { crossPost: A }, 'none'],
  ['a new article that asks for none of the connected ones', { crossPost: A, connected: ['blogsite_b'] }, 'none'],
  ['a new article with syndicationMode "local"', { crossPost: A, connected: ['blogsite_a'], syndicate: false }, 'none'],
  ['a new article for a connected destination', { crossPost: A, connected: ['blogsite_a'] }, 'deliveries'],
  ['a new scheduled article, whatever it asks for', { status: 'SCHEDULED', syndicate: false }, 'article'],
  ['a draft that is published', { statusBefore: 'DRAFT', crossPost: A, connected: ['blogsite_a'] }, 'deliveries'],
  ['a draft that is published and goes nowhere', { statusBefore: 'DRAFT', connected: ['blogsite_a'] }, 'none'],
  ['a draft that stays one', { status: 'DRAFT', statusBefore: 'DRAFT', connected: ['blogsite_a'] }, 'none'],
  ['a schedule that is cancelled', { status: 'DRAFT', statusBefore: 'SCHEDULED' }, 'article'],
  ['a schedule that is brought forward to now', { statusBefore: 'SCHEDULED' }, 'article'],
  ['a schedule that is moved', { status: 'SCHEDULED', statusBefore: 'SCHEDULED' }, 'article'],
  ['a public article that goes nowhere, changed', { statusBefore: 'PUBLISHED' }, 'none'],
  [
    'a public article, its author connected since',
    { statusBefore: 'PUBLISHED', crossPost: A, connected: ['blogsite_a'] },
    'deliveries',
  ],
  // Its actor may just have woken a delivery whose row is not there yet.
  [
    'a draft of what was public a moment ago',
    { status: 'DRAFT', statusBefore: 'PUBLISHED', connected: ['blogsite_a'] },
    'deliveries',
  ],
  [
    'a local publish of what was public',
    { statusBefore: 'PUBLISHED', syndicate: false, connected: ['blogsite_a'] },
    'deliveries',
  ],
  [
    'a draft with copies, disconnected since',
    { status: 'DRAFT', statusBefore: 'PUBLISHED', hasDeliveries: true },
    'deliveries',
  ],
  [
    'a draft of a draft whose withdrawal waits',
    { status: 'DRAFT', statusBefore: 'DRAFT', hasDeliveries: true },
    'deliveries',
  ],
  [
    'an article that no longer asks for where its copy is',
    { statusBefore: 'PUBLISHED', hasDeliveries: true },
    'deliveries',
  ],
];

const TELL = {
  article: 'its actor is signalled',
  deliveries: 'its deliveries are signalled',
  none: 'no workflow is started',
};

for (const [what, state, wakes] of CASES) {
  test(`${what}: ${TELL[wakes]}`, () => {
    assert.equal(chooseActors({ ...NEW, ...state }), wakes);
  });
}

test('more to do never makes an actor unneeded', () => {
  const needsActor = (state: PublishedState) => chooseActors(state) !== 'none';
  const statuses: ArticleStatus[] = ['DRAFT', 'PUBLISHED', 'SCHEDULED'];
  for (const status of statuses)
    for (const statusBefore of [null, ...statuses])
      for (const syndicate of [false, true])
        for (const crossPost of [NONE, A])
          for (const connected of [[], ['blogsite_a'] as const]) {
            const state = { status, statusBefore, syndicate, crossPost, connected, hasDeliveries: false };
            assert.ok(needsActor({ ...state, hasDeliveries: true }));
            if (needsActor(state)) assert.ok(needsActor({ ...state, connected: ['blogsite_a', 'blogsite_b'] }));
          }
});
