/** The reasons, addresses and names in grid cells. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CellArticle,
  describeCell,
  replaceCommandsByButtons,
} from '../../../api/deliveries/grid/describe-cell.ts';
import type { GridDelivery } from '../../../store/deliveries/grid.ts';
import {
  ARTICLE,
  DELIVERY,
  DRAFT,
  derive,
  FOREM,
  LATER,
  LIVE,
  MEDIUM,
  UNCERTAIN,
  unknown,
} from './support/cell-rows.ts';

test('a cell without a delivery has only a state', () => {
  const waiting = {
    ...{ destination: 'blogsite_a', label: 'DEV', hasDelivery: false, stateText: 'Waiting', tone: 'info' },
    ...{ url: null, reason: null, nextAttemptAt: null, commands: [], canSettle: false, attempts: 0 },
    ...{ needsConnection: false, needsAuthor: false, isUnderWay: true },
  };
  const facts = { destination: 'blogsite_a', article: ARTICLE, connection: FOREM, delivery: null } as const;
  assert.deepEqual(describeCell(facts), waiting);
  assert.deepEqual(describeCell({ ...facts, connection: { ...FOREM, createdAt: LATER } }), {
    ...{ ...waiting, isUnderWay: false, stateText: 'Not sent', tone: 'quiet' },
    reason: 'Connected after the article was published. Send it from the page of the connection, or publish it again.',
  });
});

test('a cell has the address, next attempt and number of attempts of its delivery', () => {
  const delivery = derive({ ...LIVE, state: 'stale', error: 'Busy.', nextAttemptAt: LATER, attempts: 3 }, ARTICLE);
  assert.deepEqual(describeCell({ destination: 'blogsite_a', article: ARTICLE, connection: FOREM, delivery }), {
    ...{ destination: 'blogsite_a', label: 'DEV', hasDelivery: true, stateText: 'Retrying', tone: 'warn' },
    ...{ url: 'https://there.example/1', reason: 'Busy.', nextAttemptAt: LATER, canSettle: false, attempts: 3 },
    commands: [
      { command: 'retry', text: 'Retry' },
      { command: 'skip', text: 'Skip' },
      { command: 'withdraw', text: 'Withdraw' },
    ],
    ...{ needsConnection: false, needsAuthor: false, isUnderWay: true },
  });
});

test('a cell is named after the platform of its delivery, its connection or its destination', () => {
  const name = (delivery: Partial<GridDelivery> | null, connection: typeof FOREM | null, destination = 'blogsite_a') =>
    describeCell({
      ...{ destination: destination as 'blogsite_a', connection, article: ARTICLE },
      delivery: delivery && derive(delivery, ARTICLE),
    }).label;
  assert.equal(name({ platform: 'hashnode' }, FOREM), 'Hashnode');
  assert.equal(name({ platform: null }, MEDIUM), 'Medium');
  assert.equal(name({ platform: null }, null, 'cms_site'), 'WordPress');
  assert.equal(name(null, null), 'DEV');
  assert.equal(name({ platform: 'unknown-platform' }, FOREM), 'unknown-platform');
});

test('a delivery at a platform that this version does not know is neither looked up nor withdrawn', () => {
  const platform = 'unknown-platform';
  const describe = (columns: Partial<GridDelivery>) =>
    describeCell({
      ...{ destination: 'blogsite_a', article: ARTICLE, connection: { ...FOREM, platform } },
      delivery: derive({ platform, ...columns }, ARTICLE),
    });
  assert.deepEqual(describe({ ...LIVE, state: 'delivered' }).commands, []);
  assert.equal(describe(unknown).canSettle, true);
});

test('a delivery that was held while its article was public has no reason after it is unpublished', () => {
  const delivery = derive({ state: 'held', error: 'Why.', errorCode: 'not_connected' }, { ...ARTICLE, ...DRAFT });
  const facts = { destination: 'blogsite_a', article: { ...ARTICLE, ...DRAFT }, connection: null } as const;
  assert.equal(describeCell({ ...facts, delivery }).reason, null);
});

test('a reason names a command by its button', () => {
  const text = 'retryDelivery, skipDelivery, overwriteDelivery, withdrawDelivery, settleDelivery';
  assert.equal(replaceCommandsByButtons(text), '“Retry”, “Skip”, “Overwrite”, “Withdraw”, “Resolve”');
  assert.equal(replaceCommandsByButtons('xretryDelivery retryDeliverys'), 'xretryDelivery retryDeliverys');
});

test('a reason names the desk’s buttons instead of commands, and only web addresses become links', () => {
  const delivery = {
    ...DELIVERY,
    ...unknown,
    error: 'Say it (settleDelivery), or retryDelivery.',
    remoteUrl: 'javascript:alert(1)',
  };
  const { reason, url } = describeCell({ destination: 'blogsite_a', connection: FOREM, delivery, article: ARTICLE });
  assert.equal(reason, 'Say it (“Resolve”), or “Retry”.');
  assert.equal(url, null);
});

const UNCERTAIN_COPY =
  'The article was published again after its copy was withdrawn, and the result is unknown: readers may find the copy';

test('a cell reports an uncertain copy besides the error, and never as withdrawn (F27)', () => {
  const print = (delivery: Partial<GridDelivery>, article: Partial<CellArticle> = DRAFT) =>
    describeCell({
      ...{ destination: 'blogsite_a', connection: FOREM, article: { ...ARTICLE, ...article } },
      delivery: derive({ ...UNCERTAIN, ...delivery }, { ...ARTICLE, ...article }),
    }).reason ?? '';
  for (const state of ['stale', 'delivering'] as const) assert.equal(print({ state }), `${UNCERTAIN_COPY}.`);
  assert.equal(print({ state: 'stale', error: 'It was cut.' }), `${UNCERTAIN_COPY}. It was cut.`);
  assert.equal(print({ state: 'stale', isUncertain: false, hasLiveCopy: true }), '');
});
