/** Tests the complete transition table of a copy's presence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CopyAnswer, nextPresence, readCopyAnswer } from '../../delivery/presence.ts';
import type { DeliveryAction, DestinationAnswer, Presence } from '../../delivery/types.ts';

const BEFORE: Presence[] = ['absent', 'live', 'hidden', 'deleted', 'uncertain'];

/** The next presence for each entry of `BEFORE`. */
const TABLE: [DeliveryAction, CopyAnswer, ...Presence[]][] = [
  ['create', 'open', 'uncertain', 'live', 'uncertain', 'uncertain', 'uncertain'],
  ['create', 'done', 'live', 'live', 'live', 'live', 'live'],
  ['create', 'nothing', 'absent', 'live', 'hidden', 'deleted', 'absent'],
  ['create', 'deleted', 'deleted', 'deleted', 'deleted', 'deleted', 'deleted'],
  ['create', 'gone', 'absent', 'absent', 'absent', 'absent', 'absent'],
  ['create', 'foreign', 'absent', 'absent', 'absent', 'absent', 'absent'],
  ['create', 'lost', 'absent', 'live', 'hidden', 'deleted', 'uncertain'],
  ['update', 'open', 'absent', 'live', 'uncertain', 'deleted', 'uncertain'],
  ['update', 'done', 'live', 'live', 'live', 'live', 'live'],
  ['update', 'deleted', 'deleted', 'deleted', 'deleted', 'deleted', 'deleted'],
  ['update', 'nothing', 'absent', 'live', 'hidden', 'deleted', 'hidden'],
  ['update', 'gone', 'absent', 'absent', 'absent', 'absent', 'absent'],
  ['update', 'foreign', 'absent', 'absent', 'absent', 'absent', 'absent'],
  ['update', 'lost', 'absent', 'live', 'hidden', 'deleted', 'live'],
  ['withdraw', 'open', 'absent', 'live', 'hidden', 'deleted', 'uncertain'],
  ['withdraw', 'done', 'absent', 'hidden', 'hidden', 'hidden', 'hidden'],
  ['withdraw', 'deleted', 'absent', 'deleted', 'deleted', 'deleted', 'deleted'],
  ['withdraw', 'gone', 'absent', 'deleted', 'deleted', 'deleted', 'deleted'],
  ['withdraw', 'foreign', 'absent', 'absent', 'absent', 'absent', 'absent'],
  ['withdraw', 'nothing', 'absent', 'live', 'hidden', 'deleted', 'uncertain'],
  ['withdraw', 'lost', 'absent', 'live', 'hidden', 'deleted', 'uncertain'],
];

for (const [action, answer, ...after] of TABLE) {
  test(`a copy after a ${action} that ended as ${answer}`, () => {
    assert.deepEqual(
      BEFORE.map((before) => nextPresence(before, action, answer)),
      after,
    );
  });
}

const remote = { remoteId: 'r', url: 'https://there.example/r', changedAt: null };
const ANSWERS: [DestinationAnswer, CopyAnswer][] = [
  [{ kind: 'done', remote }, 'done'],
  [{ kind: 'done', remote: null, deleted: true }, 'deleted'],
  [{ kind: 'done', remote: null }, 'done'],
  [{ kind: 'unknown', reason: 'cut' }, 'open'],
  [{ kind: 'unavailable', reason: '503' }, 'nothing'],
  [{ kind: 'unauthorised', reason: '401' }, 'nothing'],
  [{ kind: 'drifted', reason: 'by hand', changedAt: 't' }, 'nothing'],
  [{ kind: 'rejected', code: 'invalid', reason: '422' }, 'nothing'],
  [{ kind: 'rejected', code: 'invalid', reason: '422', mayBeSaved: true }, 'open'],
  [{ kind: 'rejected', code: 'remote_gone', reason: '404' }, 'gone'],
  [{ kind: 'rejected', code: 'remote_not_ours', reason: '404' }, 'foreign'],
];

for (const [answer, expected] of ANSWERS) {
  test(`${JSON.stringify(answer)} is read as ${expected}`, () => assert.equal(readCopyAnswer(answer), expected));
}
