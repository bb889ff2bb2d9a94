/** Tests the effects of a rejected attempt or a refused credential, one table row per case. */
import {
  absent,
  changed,
  create,
  drifted,
  found,
  refused,
  TARGET,
  testTables,
  titleUsed,
  unauthorised,
  unavailable,
  update,
} from './support/attempts.ts';

testTables({
  'a refused credential': [
    [
      'is probed, refused again and held, with one event (F13)',
      create,
      [unauthorised, 'refused'],
      'send create → record retry (unauthorised) → pause 10 s → probe → record unauthorised → end held',
    ],
    [
      'that the probe accepts is retried',
      create,
      [unauthorised, 'good'],
      'send create → record retry (unauthorised) → pause 10 s → probe → replan 2 s',
    ],
    [
      'that could not be probed is retried',
      create,
      [unauthorised, 'probe lost'],
      'send create → record retry (unauthorised) → pause 10 s → probe → replan 2 s',
    ],
    [
      'that was probed before is held without another probe (F13)',
      create,
      [unauthorised],
      'send create → record unauthorised → end held',
      { retry: { hasProbed: true } },
    ],
    [
      'that was replaced meanwhile is retried with the new one (F13)',
      create,
      [unauthorised],
      'send create → record unauthorised → replan at once',
      { retry: { hasProbed: true }, isCurrent: false },
    ],
  ],
  'a rejection': [
    ['fails with its reason', create, [refused('invalid')], 'send create → record failed (invalid) → end failed'],
    ['of an update fails', update, [refused('remote_gone')], 'send update → record failed (remote_gone) → end failed'],
    [
      'that may have saved the post is looked up and adopted (F10)',
      create,
      [refused('invalid', true), found],
      'send create → pause 1 s → lookUp → record adopted → replan at once',
    ],
    [
      'that saved nothing fails (F10)',
      create,
      [refused('invalid', true), absent],
      'send create → pause 1 s → lookUp → record failed (invalid) → end failed',
    ],
    [
      'that may have saved the post is planned again when another step is due',
      create,
      [refused('invalid', true), changed],
      'send create → pause 1 s → lookUp → replan at once',
    ],
    [
      'that may have saved the post is planned again when the look-up fails',
      create,
      [refused('invalid', true), unavailable],
      'send create → pause 1 s → lookUp → replan 2 s',
    ],
    [
      'that may have saved the post fails at a platform without look-up',
      { ...create, canFind: false },
      [refused('invalid', true)],
      'send create → record failed (invalid) → end failed',
    ],
    [
      'of an update that may have been saved fails',
      update,
      [refused('invalid', true)],
      'send update → record failed (invalid) → end failed',
    ],
    [
      'by the five-minute title rule is retried once',
      create,
      [titleUsed, absent],
      'send create → pause 1 s → lookUp → record retry (title_recently_used) → replan 305 s',
    ],
    [
      'by the five-minute title rule fails the second time',
      create,
      [titleUsed, absent],
      'send create → pause 1 s → lookUp → record failed (title_recently_used) → end failed',
      { retry: { hasRetriedCreate: true } },
    ],
    [
      'because the post was edited at the destination fails',
      update,
      [drifted],
      'send update → record failed (drifted) → end failed',
    ],
    [
      'by our own rules, because the platform does not support it, fails',
      { ...TARGET, kind: 'refuse', code: 'cannot_withdraw', reason: 'no', isUnsettled: false },
      [],
      'record failed (cannot_withdraw) → end failed',
    ],
    [
      'by our own rules, with a create in flight, is unknown',
      { ...TARGET, kind: 'refuse', code: 'platform_unsupported', reason: 'no', isUnsettled: true },
      [],
      'record unknown (platform_unsupported) → end unknown',
    ],
  ],
});
