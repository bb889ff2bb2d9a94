/** GraphQL fields that show and change the digest settings of the signed-in author. */
import {
  changeDigestSettings,
  type DigestSettingsChange,
  type DigestSettings as DigestSettingsRow,
  findDigestSettings,
} from '../../../store/digests/settings.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder, exposeFields } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createGraphqlError, createInputError } from '../../graphql/errors.ts';

const DigestFrequency = builder.enumType('DigestFrequency', {
  description: 'The frequency of the digest.',
  values: {
    DAILY: { value: 'daily', description: 'Every day.' },
    WEEKLY: { value: 'weekly', description: 'On the chosen day of the week.' },
    MONTHLY: { value: 'monthly', description: 'On the first chosen day of the week of a month.' },
    OFF: { value: 'off', description: 'Never.' },
  } as const,
});

const DigestSettings = builder.objectRef<DigestSettingsRow>('DigestSettings').implement({
  description: 'The schedule and the state of the digest.',
  fields: (t) => ({
    ...exposeFields(t, {
      weekday: ['Int!', 'The day of the week: 1 (Monday) to 7 (Sunday). Ignored for daily digests.'],
      hour: ['Int!', 'The hour in the time zone: 0 to 23.'],
      zone: ['String!', 'The IANA name of the time zone.'],
      sendEmpty: ['Boolean!', 'Whether a digest is sent even if there is nothing to report.'],
      nextDueAt: ['DateTime', 'When the next digest is due; null if none will be sent.'],
      stoppedAt: [
        'DateTime',
        'When sending stopped because the mail server of your address permanently refused the digest. Any change of these settings resumes it.',
      ],
      stoppedReason: ['String', 'The response of the mail server.'],
    }),
    frequency: t.expose('frequency', { type: DigestFrequency, description: 'The frequency.' }),
  }),
});

const DigestSettingsInput = builder.inputType('DigestSettingsInput', {
  description: 'Changes to the digest settings. Omitted fields stay unchanged.',
  fields: (t) => ({
    frequency: t.field({ type: DigestFrequency, description: 'The frequency.' }),
    weekday: t.int({ description: 'The day of the week: 1 (Monday) to 7 (Sunday).' }),
    hour: t.int({ description: 'The hour in the time zone: 0 to 23.' }),
    zone: t.string({ description: 'The IANA name of the time zone, such as Europe/Lisbon.' }),
    sendEmpty: t.boolean({ description: 'Whether a digest is sent even if there is nothing to report.' }),
  }),
});

builder.queryFields((t) => ({
  digestSettings: t.field({
    type: DigestSettings,
    nullable: true,
    skipTypeScopes: true,
    description: 'Your digest settings; null if nobody is signed in.',
    resolve: (_root, _args, { deps, request }) =>
      request.session === null ? null : findDigestSettings(deps.db, request.session.userId),
  }),
}));

builder.mutationFields((t) => ({
  setDigestSettings: t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: DigestSettings,
    description:
      'Changes your digest settings. Errors: BAD_INPUT, with every invalid field in extensions.errors; UNAUTHENTICATED.',
    args: { input: t.arg({ type: DigestSettingsInput, required: true, description: 'The changes.' }) },
    resolve: async (_root, { input }, context) => {
      const { db, now } = context.deps;
      const change = dropNulls(input);
      const result = await changeDigestSettings(db, { userId: requireUser(context), change, now: now() });
      if (!result) throw createGraphqlError('UNAUTHENTICATED', 'This account no longer exists.');
      if ('settings' in result) return result.settings;
      throw createInputError(result.problems);
    },
  }),
}));

function dropNulls(input: typeof DigestSettingsInput.$inferInput): DigestSettingsChange {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
