/** Tests the next step after a create of unknown outcome. */
import { createOnly, withRepeat } from './support/situation.ts';
import {
  CREATING,
  OPEN,
  REPORTED_UNKNOWN,
  REPUBLISHED,
  repeatable,
  testSteps,
  UNKNOWN_ANSWER,
} from './support/steps.ts';

testSteps({
  'a create of unknown outcome': [
    [
      'is looked up first, and may still arrive for 108.5 s (F2, F9)',
      { delivery: CREATING },
      'reconcile settle 108500',
    ],
    [
      'can no longer arrive after the settle time',
      { delivery: { ...CREATING, inFlight: { ...OPEN, sentMsAgo: 110_000 } } },
      'reconcile settle -1000',
    ],
    [
      'is looked up even if the article is a draft now',
      { article: { status: 'DRAFT' }, delivery: CREATING },
      'reconcile settle 108500',
    ],
    [
      'is looked up even if the article is no longer eligible',
      { article: { isEligible: false }, delivery: CREATING },
      'reconcile settle 108500',
    ],
    [
      'is looked up even if the author requested its withdrawal',
      { delivery: { ...CREATING, withdrawRequested: true } },
      'reconcile settle 108500',
    ],
    [
      'reported as unknown for this publish: nothing, because it is never created again without a look-up (F3)',
      { delivery: REPORTED_UNKNOWN },
      'rest nothing: waiting for the author to resolve it',
    ],
    [
      'reported as unknown, and published again: looked up',
      { article: REPUBLISHED, delivery: REPORTED_UNKNOWN },
      'reconcile settle 108500',
    ],
    [
      'disconnected meanwhile: held, and nothing is sent (F26)',
      { connection: null, delivery: CREATING },
      'rest held, stays due: disconnected while a post was being created there',
    ],
    [
      'at a platform that recognises a repeat: repeated after a minute (F3)',
      { delivery: repeatable(500) },
      'reconcile settle 108500 repeat 59500',
      withRepeat,
    ],
    [
      'at a platform that recognises a repeat, with a suspended author: not repeated, because a repeat may create it',
      { article: { isSuspended: true }, delivery: repeatable(70_000) },
      'reconcile settle 39000',
      withRepeat,
    ],
    [
      'rejected but possibly saved, and disconnected before the look-up: held until a look-up is possible (F10)',
      {
        connection: null,
        delivery: {
          ...CREATING,
          inFlight: { ...OPEN, answer: { kind: 'rejected', code: 'invalid', reason: 'No.', mayBeSaved: true } },
        },
      },
      'rest held, stays due: disconnected before the look-up',
    ],
    [
      'at a platform that recognises a repeat, after the minute: repeated at once',
      { delivery: repeatable(70_000) },
      'reconcile settle 39000 repeat 0',
      withRepeat,
    ],
    [
      'at a platform that recognises a repeat, after ten minutes: not repeated',
      { delivery: repeatable(600_000) },
      'reconcile settle -491000',
      withRepeat,
    ],
    [
      'at a platform that recognises a repeat, repeated once: not repeated again',
      { delivery: UNKNOWN_ANSWER },
      'reconcile settle 108500',
      withRepeat,
    ],
    [
      'at a platform with neither look-up nor repeat: not repeated (F3)',
      { delivery: UNKNOWN_ANSWER },
      'reconcile settle 108500',
      createOnly,
    ],
    [
      'at a platform with neither look-up nor repeat: waits while the lost activity may still store the answer (F30)',
      { delivery: CREATING },
      'settle 28500',
      createOnly,
    ],
    [
      'answered, but the workflow never received it: resolved from the row (F29, F30)',
      { delivery: { ...CREATING, inFlight: { ...OPEN, answer: { kind: 'done', remote: null } } } },
      'resolve create done',
      createOnly,
    ],
    [
      'unavailable, but the workflow never received it: resolved from the row (F29, F30)',
      { delivery: { ...CREATING, inFlight: { ...OPEN, answer: { kind: 'unavailable', reason: '503' } } } },
      'resolve create unavailable',
    ],
    [
      'answered after it was reported as unknown: resolved from the row, without the author (F32)',
      {
        delivery: {
          ...CREATING,
          handledDispatch: 1,
          inFlight: { ...OPEN, answer: { kind: 'done', remote: null } },
        },
      },
      'resolve create done',
    ],
    [
      'answered with an error of the platform itself: settles after the read lag of its listing',
      {
        delivery: {
          ...CREATING,
          inFlight: {
            ...OPEN,
            answeredMsAgo: 200,
            answer: { kind: 'unknown', reason: '500', mayArriveLate: false },
          },
        },
      },
      'reconcile settle 800',
    ],
    [
      'answered after the destination was disconnected: the answer is still resolved',
      { connection: null, delivery: { ...CREATING, inFlight: { ...OPEN, answer: { kind: 'done', remote: null } } } },
      'resolve create done',
      null,
    ],
  ],
});
