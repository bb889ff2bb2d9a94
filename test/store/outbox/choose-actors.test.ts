/** Tests which workflows a publish signals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseWorkflows, type PublishedState, type WorkflowsToWake } from '../../../store/outbox/enqueue.ts';

/** A new public article of an author without connections. */
const NEW: PublishedState = {
  status: 'PUBLISHED',
  statusBefore: null,
  syndicate: true,
  hasConnections: false,
  hasDeliveries: false,
};

const CASES: [what: string, state: Partial<PublishedState>, wakes: WorkflowsToWake][] = [
  ['a new draft', { status: 'DRAFT', hasConnections: true }, 'none'],
  ['a new article of an author without connections', {}, 'none'],
  ['a new article of an author with connections', { hasConnections: true }, 'deliveries'],
  [
    'a new article of an author with connections, published locally',
    { syndicate: false, hasConnections: true },
    'none',
  ],
  ['a local publish of an article with copies', { syndicate: false, hasDeliveries: true }, 'deliveries'],
  ['a new scheduled article', { status: 'SCHEDULED' }, 'article'],
  ['a published draft', { statusBefore: 'DRAFT', hasConnections: true }, 'deliveries'],
  ['a changed draft', { status: 'DRAFT', statusBefore: 'DRAFT', hasConnections: true }, 'none'],
  ['a cancelled schedule', { status: 'DRAFT', statusBefore: 'SCHEDULED' }, 'article'],
  ['a schedule moved forward to now', { statusBefore: 'SCHEDULED' }, 'article'],
  ['a moved schedule', { status: 'SCHEDULED', statusBefore: 'SCHEDULED' }, 'article'],
  ['a public article without deliveries, changed', { statusBefore: 'PUBLISHED' }, 'none'],
  ['a public article, its author connected since', { statusBefore: 'PUBLISHED', hasConnections: true }, 'deliveries'],
  [
    'a draft with copies, disconnected since',
    { status: 'DRAFT', statusBefore: 'PUBLISHED', hasDeliveries: true },
    'deliveries',
  ],
  [
    'a changed draft with a pending withdrawal',
    { status: 'DRAFT', statusBefore: 'DRAFT', hasDeliveries: true },
    'deliveries',
  ],
];

const EFFECTS = {
  article: 'its workflow is signalled',
  deliveries: 'the workflows of its deliveries are signalled',
  none: 'no workflow is started',
};

for (const [what, state, wakes] of CASES) {
  test(`${what}: ${EFFECTS[wakes]}`, () => {
    assert.equal(chooseWorkflows({ ...NEW, ...state }), wakes);
  });
}
