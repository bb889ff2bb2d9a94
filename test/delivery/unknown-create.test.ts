/** What is due after a create of which nobody knows whether it made a post. */
import { createOnly, withRepeat } from './support/situation.ts';
import { ASKED, CREATING, CUT, OPEN, REPUBLISHED, repeatable, testSteps } from './support/steps.ts';

testSteps({
  'a create of unknown outcome': [
    [
      'is looked up first, and may still arrive for 108.5 s (F2, F9)',
      { delivery: CREATING },
      'reconcile settle 108500',
    ],
    [
      'cannot arrive any more when the settle time is over',
      { delivery: { ...CREATING, inFlight: { ...OPEN, forMs: 110_000 } } },
      'reconcile settle -1000',
    ],
    [
      'is looked up even when the article has become a draft',
      { article: { status: 'DRAFT' }, delivery: CREATING },
      'reconcile settle 108500',
    ],
    [
      'is looked up even when the article is not eligible any more',
      { article: { eligible: false }, delivery: CREATING },
      'reconcile settle 108500',
    ],
    [
      'is looked up even when the author has ordered to withdraw it',
      { delivery: { ...CREATING, withdrawRequested: true } },
      'reconcile settle 108500',
    ],
    [
      'recorded as unknown for this publish: nothing, since it is never created again without a look-up (F3)',
      { delivery: ASKED },
      'rest nothing',
    ],
    [
      'recorded as unknown, and published again: looked up',
      { article: REPUBLISHED, delivery: ASKED },
      'reconcile settle 108500',
    ],
    [
      'disconnected meanwhile: held, and nothing is sent (F26)',
      { connection: null, delivery: CREATING },
      'rest held, stays due',
    ],
    [
      'at a platform that recognises a repeat: repeated after a minute (F3)',
      { delivery: repeatable(500) },
      'reconcile settle 108500 repeat 59500',
      withRepeat,
    ],
    [
      'at a platform that recognises a repeat, and its author is suspended: not repeated, since a repeat may create it',
      { article: { isSuspended: true }, delivery: repeatable(70_000) },
      'reconcile settle 39000',
      withRepeat,
    ],
    [
      'refused but perhaps saved, and disconnected before the look-up: held until it can be looked up (F10)',
      {
        connection: null,
        delivery: {
          ...CREATING,
          inFlight: { ...OPEN, answer: { kind: 'rejected', code: 'invalid', reason: 'No.', maybeSaved: true } },
        },
      },
      'rest held, stays due',
    ],
    [
      'at a platform that recognises a repeat, when the minute is over: repeated at once',
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
      { delivery: CUT },
      'reconcile settle 108500',
      withRepeat,
    ],
    [
      'at a platform with neither look-up nor repeat: not repeated (F3)',
      { delivery: CUT },
      'reconcile settle 108500',
      createOnly,
    ],
    [
      'at a platform with neither look-up nor repeat: the activity that was lost to its workflow may still write the answer (F30)',
      { delivery: CREATING },
      'settle 28500',
      createOnly,
    ],
    [
      'answered, and its workflow never heard of it: resolved from the row (F29, F30)',
      { delivery: { ...CREATING, inFlight: { ...OPEN, answer: { kind: 'done', remote: null } } } },
      'resolve create done',
      createOnly,
    ],
    [
      'refused, and its workflow never heard of it: resolved from the row (F29, F30)',
      { delivery: { ...CREATING, inFlight: { ...OPEN, answer: { kind: 'unavailable', reason: '503' } } } },
      'resolve create unavailable',
    ],
    [
      'answered after its author was asked to look: resolved from the row, and nobody has to (F32)',
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
      'answered with an error of the platform’s own: its listing may lag, and is believed after that',
      {
        delivery: {
          ...CREATING,
          inFlight: {
            ...OPEN,
            answeredForMs: 200,
            answer: { kind: 'unknown', reason: '500', mayArriveLate: false },
          },
        },
      },
      'reconcile settle 800',
    ],
    [
      'answered after the destination was disconnected: the answer is recorded all the same',
      { connection: null, delivery: { ...CREATING, inFlight: { ...OPEN, answer: { kind: 'done', remote: null } } } },
      'resolve create done',
      null,
    ],
  ],
});
