/** What a cell of the grid says in every state of a delivery, and which commands it offers. A row a case. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CellArticle, CellConnection } from '../../../api/deliveries/grid/cell.ts';
import { describeCell } from '../../../api/deliveries/grid/describe-cell.ts';
import { DESTINATION_KEYS } from '../../../article/types.ts';
import type { GridDelivery } from '../../../store/deliveries/grid.ts';

const [EARLIER, NOW, LATER] = ['2026-01-01', '2026-06-01', '2026-07-01'].map((day) => new Date(day)) as [
  Date,
  Date,
  Date,
];

const ARTICLE: CellArticle = {
  ...{ status: 'PUBLISHED', imported: false, deletedAt: null, dispatch: 1, dispatchedAt: NOW },
  selected: DESTINATION_KEYS,
};
const DELIVERY: GridDelivery = {
  ...{
    articleId: 'a',
    destination: 'blogsite_a',
    state: 'pending',
    presence: 'absent',
    remoteId: null,
    remoteUrl: null,
  },
  ...{ withdrawnAt: null, deliveredRevision: null, errorCode: null, error: null, nextAttemptAt: null, attempts: 1 },
  ...{ platform: null, account: null, elsewhere: null, connectionStatus: null, connectedPlatform: null },
  ...{ openReason: null, lastReason: null, statusReason: null, openAction: null, handledDispatch: 1 },
  ...{ shouldBeDelivered: true, shouldBeWithdrawn: false, hasLiveCopy: false, isUncertain: false, needsAuthor: false },
  withdrawRequested: false,
};
const FOREM: CellConnection = { destination: 'blogsite_a', platform: 'forem', status: 'active', createdAt: EARLIER };
const MEDIUM: CellConnection = { ...FOREM, destination: 'blogsite_c', platform: 'medium' };
const LINKEDIN: CellConnection = { ...FOREM, destination: 'social_feed', platform: 'linkedin' };
const REFUSED: CellConnection = { ...FOREM, status: 'unauthorised' };

const LIVE = { hasLiveCopy: true, remoteUrl: 'https://there.example/1', deliveredRevision: 1 };
/** It was taken back, published again, and the update that brings it back has no answer. */
const PERHAPS_BACK = { withdrawnAt: NOW, isUncertain: true, openAction: 'update' } as const;
const DRAFT = { status: 'DRAFT' } as const;
const unwanted = { selected: [] };
const failed = (errorCode: string) => ({ state: 'failed', errorCode, error: 'Why.' }) as const;
const unknown = { state: 'unknown', errorCode: 'outcome_unknown', error: 'Why.', openAction: 'create' } as const;

interface Case {
  name: string;
  delivery: Partial<GridDelivery> | null;
  article?: Partial<CellArticle>;
  connection?: CellConnection | null;
  /** Word, tone, commands; `!` where it needs its author, `~` where it changes by itself. */
  says: string;
}

const CASES: Case[] = [
  { name: 'nothing yet, right after the publish', delivery: null, says: 'waiting info [] ~' },
  {
    name: 'published before it was connected',
    delivery: null,
    connection: { ...FOREM, createdAt: LATER },
    says: 'not sent quiet []',
  },
  { name: 'a draft', delivery: null, article: DRAFT, says: 'not sent quiet []' },
  { name: 'scheduled', delivery: null, article: { status: 'SCHEDULED' }, says: 'planned quiet []' },
  { name: 'not asked for', delivery: null, article: unwanted, says: 'not asked for quiet []' },
  { name: 'imported', delivery: null, article: { imported: true }, says: 'imported quiet []' },
  { name: 'not connected', delivery: null, connection: null, says: 'not connected quiet []' },

  { name: 'waits for its turn', delivery: { nextAttemptAt: NOW }, says: 'waiting info [skip] ~' },
  {
    name: 'in the pause after a failure',
    delivery: { error: 'Why.', errorCode: 'unavailable', nextAttemptAt: NOW },
    says: 'trying again warn [retry skip] ~',
  },
  { name: 'waited when it was unpublished', delivery: {}, article: DRAFT, says: 'not sent quiet []' },
  { name: 'is being sent', delivery: { state: 'delivering' }, says: 'sending info [] ~' },
  {
    name: 'is looked for',
    delivery: { state: 'delivering', error: 'Why.', errorCode: 'outcome_unknown' },
    says: 'finding out warn [retry skip] ~',
  },

  { name: 'delivered', delivery: { state: 'delivered', ...LIVE }, says: 'delivered good [withdraw]' },
  {
    name: 'delivered where nothing can be taken back',
    delivery: { state: 'delivered', ...LIVE },
    connection: MEDIUM,
    says: 'delivered good []',
  },
  {
    name: 'delivered, and disconnected since',
    delivery: { state: 'delivered', ...LIVE },
    connection: null,
    says: 'delivered good []',
  },
  {
    name: 'delivered, and published again',
    delivery: { state: 'delivered', ...LIVE },
    article: { dispatch: 2 },
    says: 'updating info [withdraw] ~',
  },
  {
    name: 'delivered, and unpublished',
    delivery: { state: 'delivered', ...LIVE },
    article: DRAFT,
    says: 'withdrawing info [] ~',
  },
  {
    name: 'delivered, and withdrawn by its author',
    delivery: { state: 'delivered', ...LIVE, withdrawRequested: true },
    says: 'withdrawing info [retry] ~',
  },
  {
    name: 'the original of an import',
    delivery: { state: 'delivered', ...LIVE },
    article: { imported: true },
    says: 'delivered good []',
  },

  { name: 'an update is due', delivery: { state: 'stale', ...LIVE }, says: 'updating info [skip withdraw] ~' },
  {
    name: 'an update failed and is tried again',
    delivery: { state: 'stale', ...LIVE, error: 'Why.', errorCode: 'unavailable' },
    says: 'trying again warn [retry skip withdraw] ~',
  },
  {
    name: 'a platform that changes no post',
    delivery: { state: 'stale', ...LIVE, error: 'Why.', errorCode: 'cannot_update' },
    connection: LINKEDIN,
    says: 'older text there warn [withdraw]',
  },
  {
    name: 'an update was skipped',
    delivery: { state: 'stale', ...LIVE, error: 'Why.', errorCode: 'skipped' },
    says: 'skipped quiet [retry withdraw]',
  },
  {
    name: 'taken back by its author',
    delivery: { state: 'stale', withdrawnAt: NOW, withdrawRequested: true },
    says: 'withdrawn quiet [retry]',
  },
  {
    name: 'taken back with its article',
    delivery: { state: 'stale', withdrawnAt: NOW },
    article: DRAFT,
    says: 'withdrawn quiet []',
  },
  {
    name: 'taken back, and published again',
    delivery: { state: 'stale', withdrawnAt: NOW },
    says: 'updating info [skip] ~',
  },
  {
    name: 'perhaps back, and taken back once more by its author',
    delivery: { state: 'stale', ...PERHAPS_BACK, withdrawRequested: true },
    says: 'withdrawing warn [retry] ~',
  },
  {
    name: 'perhaps back, and its article was unpublished',
    delivery: { state: 'stale', ...PERHAPS_BACK },
    article: DRAFT,
    says: 'withdrawing warn [] ~',
  },
  {
    name: 'perhaps back, and skipped',
    delivery: { state: 'stale', ...PERHAPS_BACK, error: 'Why.', errorCode: 'skipped' },
    says: 'skipped quiet [retry withdraw]',
  },
  {
    name: 'perhaps back, and its account was disconnected',
    delivery: { state: 'held', ...PERHAPS_BACK, error: 'Why.', errorCode: 'not_connected' },
    article: DRAFT,
    connection: null,
    says: 'waits for you warn [skip] ! connect',
  },
  {
    name: 'perhaps back, and given up',
    delivery: { ...failed('gave_up'), ...PERHAPS_BACK },
    article: DRAFT,
    says: 'failed bad [retry skip withdraw] !',
  },
  {
    name: 'not wanted there any more',
    delivery: { state: 'stale', ...LIVE },
    article: unwanted,
    says: 'older text there quiet [withdraw]',
  },
  {
    name: 'published while another account was connected',
    delivery: { state: 'stale', error: 'Why.', errorCode: 'other_account', elsewhere: '@old' },
    says: 'at @old quiet [retry]',
  },
  {
    name: 'published while another account was connected, and gone there',
    delivery: { state: 'stale', error: 'Why.', errorCode: 'other_account' },
    says: 'not sent quiet [retry]',
  },

  { name: 'refused', delivery: failed('rejected'), says: 'failed bad [retry skip] !' },
  {
    name: 'an update was refused',
    delivery: { ...failed('rejected'), ...LIVE },
    says: 'failed bad [retry skip withdraw] !',
  },
  {
    name: 'refused, and the credential as well',
    delivery: failed('rejected'),
    connection: REFUSED,
    says: 'failed bad [skip] ! connect',
  },
  { name: 'refused, and unpublished since', delivery: failed('rejected'), article: DRAFT, says: 'failed quiet []' },
  { name: 'skipped', delivery: failed('skipped'), says: 'skipped quiet [retry]' },
  {
    name: 'changed there by somebody else',
    delivery: { ...failed('drifted'), ...LIVE },
    says: 'changed there bad [overwrite skip withdraw] !',
  },
  {
    name: 'cannot be taken back',
    delivery: { ...failed('cannot_withdraw'), ...LIVE },
    article: DRAFT,
    says: 'still there bad [skip] !',
  },

  { name: 'not known, where the platform can be asked', delivery: unknown, says: 'not known bad [retry skip] !' },
  {
    name: 'not known, where only its author can look',
    delivery: unknown,
    connection: MEDIUM,
    says: 'not known bad [] ! settle',
  },
  {
    name: 'not known, and skipped: it is looked for at a retry',
    delivery: { ...unknown, errorCode: 'skipped' },
    says: 'not known bad [retry]',
  },
  {
    name: 'not known of an update',
    delivery: { ...unknown, openAction: null, ...LIVE },
    connection: MEDIUM,
    says: 'not known bad [retry skip] !',
  },

  {
    name: 'the credential is refused',
    delivery: { state: 'held', error: 'Why.', errorCode: 'unauthorised' },
    connection: REFUSED,
    says: 'waits for you warn [skip] ! connect',
  },
  {
    name: 'not connected any more',
    delivery: { state: 'held', error: 'Why.', errorCode: 'not_connected' },
    connection: null,
    says: 'waits for you warn [skip] ! connect',
  },
  {
    name: 'held, and connected by now',
    delivery: { state: 'held', error: 'Why.', errorCode: 'not_connected' },
    says: 'waiting info [skip] ~ !',
  },
  {
    name: 'held, and unpublished since',
    delivery: { state: 'held', error: 'Why.', errorCode: 'not_connected' },
    connection: null,
    article: DRAFT,
    says: 'not sent quiet []',
  },
];

for (const { name, delivery, article = {}, connection = FOREM, says } of CASES) {
  test(`${name}: ${says}`, () => {
    const destination = connection?.destination ?? 'blogsite_a';
    const of = { ...ARTICLE, ...article };
    const row = delivery && derive({ destination, platform: connection?.platform ?? 'forem', ...delivery }, of);
    const cell = describeCell({ destination, connection, delivery: row, article: of });
    const marks = [
      cell.isUnderWay && '~',
      cell.needsAuthor && '!',
      cell.canSettle && 'settle',
      cell.needsConnection && 'connect',
    ];
    const commands = cell.commands.map(({ command }) => command).join(' ');
    const said = [cell.word, cell.tone, `[${commands}]`, ...marks.filter(Boolean)].join(' ');
    assert.equal(said, says);
  });
}

/** What the view would derive; that it does is in `cells-of-rows.test.ts`. */
function derive(given: Partial<GridDelivery>, { status, imported, selected }: CellArticle): GridDelivery {
  const row = { ...DELIVERY, ...given };
  const isPublic = status === 'PUBLISHED';
  const hasLiveCopy = row.hasLiveCopy || row.isUncertain;
  const shouldBeDelivered = selected.includes(row.destination) && !imported && isPublic && !row.withdrawRequested;
  const shouldBeWithdrawn = row.withdrawRequested === true || !(isPublic || imported);
  const isStuck = ['failed', 'unknown', 'held'].includes(row.state) && row.errorCode !== 'skipped';
  return {
    ...row,
    hasLiveCopy,
    shouldBeDelivered,
    shouldBeWithdrawn,
    needsAuthor: isStuck && (row.state === 'unknown' || hasLiveCopy || shouldBeDelivered),
  };
}

test('the commands that a message names are the buttons of the desk, and only addresses of the web are links', () => {
  const delivery = {
    ...DELIVERY,
    ...unknown,
    error: 'Say it (settleDelivery), or retryDelivery.',
    remoteUrl: 'javascript:alert(1)',
  };
  const { reason, url } = describeCell({ destination: 'blogsite_a', connection: FOREM, delivery, article: ARTICLE });
  assert.equal(reason, 'Say it (“I looked there”), or “Retry”.');
  assert.equal(url, null);
});

const NO_ANSWER = 'no answer says whether that arrived: readers may find it there';

test('a cell says that a withdrawn post may be before readers, beside what went wrong, and never that it is withdrawn (F27)', () => {
  const say = (delivery: Partial<GridDelivery>, article: Partial<CellArticle> = DRAFT) =>
    describeCell({
      ...{ destination: 'blogsite_a', connection: FOREM, article: { ...ARTICLE, ...article } },
      delivery: derive({ ...PERHAPS_BACK, ...delivery }, { ...ARTICLE, ...article }),
    }).reason ?? '';
  for (const state of ['stale', 'delivering'] as const) assert.match(say({ state }), new RegExp(`${NO_ANSWER}\\.$`));
  assert.match(say({ state: 'stale', error: 'It was cut.' }), new RegExp(`${NO_ANSWER}\\. It was cut\\.$`));
  assert.doesNotMatch(say({ state: 'stale', isUncertain: false, hasLiveCopy: true }), new RegExp(NO_ANSWER));
});
