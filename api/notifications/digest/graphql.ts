/** GraphQL fields that show and change the digest settings of the signed-in author. */
import {
  changeDigestSettings,
  type DigestSettingsChange,
  type DigestSettings as DigestSettingsRow,
  findDigestSettings,
} from '../../../store/digests/settings.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createGraphqlError } from '../../graphql/errors.ts';
import '../../graphql/date-time.ts';

const DigestFrequency = builder.enumType('DigestFrequency', {
  description: 'How often a digest is sent.',
  values: {
    daily: { description: 'Every day.' },
    weekly: { description: 'On the chosen day of the week.' },
    monthly: { description: 'On the first chosen day of the week of a month.' },
    off: { description: 'Never.' },
  } as const,
});

const DigestSettings = builder.objectRef<DigestSettingsRow>('DigestSettings').implement({
  description: 'When the digest is sent, and whether it is.',
  fields: (t) => ({
    frequency: t.expose('frequency', { type: DigestFrequency, description: 'How often.' }),
    weekday: t.exposeInt('weekday', { description: '1 (Monday) to 7; ignored where the frequency is daily.' }),
    hour: t.exposeInt('hour', { description: '0 to 23, on the clocks of the zone.' }),
    zone: t.exposeString('zone', { description: 'IANA name.' }),
    sendEmpty: t.exposeBoolean('sendEmpty', {
      description: 'Whether a mail is sent even when there is nothing to report.',
    }),
    nextDueAt: t.expose('nextDueAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Null where none will be sent.',
    }),
    stoppedAt: t.expose('stoppedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Since when nothing is sent, because the mail server of your address refused it for good. Any change of these settings starts again.',
    }),
    stoppedReason: t.exposeString('stoppedReason', { nullable: true, description: 'What the mail server said.' }),
  }),
});

const DigestSettingsInput = builder.inputType('DigestSettingsInput', {
  description: 'What is not given stays as it is.',
  fields: (t) => ({
    frequency: t.field({ type: DigestFrequency, description: 'How often.' }),
    weekday: t.int({ description: '1 (Monday) to 7 (Sunday).' }),
    hour: t.int({ description: '0 to 23, on the clocks of the zone.' }),
    zone: t.string({ description: 'IANA name, such as Europe/Lisbon.' }),
    sendEmpty: t.boolean({ description: 'Whether a mail is sent even when there is nothing to report.' }),
  }),
});

builder.queryField('digestSettings', (t) =>
  t.field({
    type: DigestSettings,
    nullable: true,
    skipTypeScopes: true,
    description: 'Null where nobody is signed in.',
    resolve: (_root, _args, { deps, request }) =>
      request.session === null ? null : findDigestSettings(deps.db, request.session.userId),
  }),
);

builder.mutationField('setDigestSettings', (t) =>
  t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: DigestSettings,
    description: 'Errors: BAD_INPUT, with every field that is wrong in extensions.errors; UNAUTHENTICATED.',
    args: { input: t.arg({ type: DigestSettingsInput, required: true, description: 'What is to change.' }) },
    resolve: async (_root, { input }, context) => {
      const { db, now } = context.deps;
      const change = dropNulls(input);
      const result = await changeDigestSettings(db, { userId: requireUser(context), change, now: now() });
      if (!result) throw createGraphqlError('UNAUTHENTICATED', 'This account no longer exists.');
      if ('settings' in result) return result.settings;
      const message = result.problems.map(({ path, message: text }) => `${path} ${text}`).join('; ');
      throw createGraphqlError('BAD_INPUT', message, { errors: result.problems });
    },
  }),
);

function dropNulls(input: typeof DigestSettingsInput.$inferInput): DigestSettingsChange {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
