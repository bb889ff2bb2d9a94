/** When the signed-in author gets a digest by e-mail. */
import type { Database } from '../../store/db/database.ts';
import { changeDigestSettings, type DigestSettingsChange, findDigestSettings } from '../../store/digests/settings.ts';
import { createGraphqlError } from './graphql-error.ts';
import { type GraphqlModule, requireUser } from './module.ts';

const typeDefs = `
  "monthly is the first chosen day of the week of a month."
  enum DigestFrequency { daily weekly monthly off }

  type DigestSettings {
    frequency: DigestFrequency!
    "1 (Monday) to 7; ignored where the frequency is daily."
    weekday: Int!
    "0 to 23, on the clocks of the zone."
    hour: Int!
    "IANA name."
    zone: String!
    "Whether a mail is sent even when there is nothing to report."
    sendEmpty: Boolean!
    "Null where none will be sent."
    nextDueAt: DateTime
    "Since when nothing is sent, because the mail server of your address refused it for good. Any change of these settings starts again."
    stoppedAt: DateTime
    "What the mail server said."
    stoppedReason: String
  }

  "What is not given stays as it is."
  input DigestSettingsInput {
    frequency: DigestFrequency
    weekday: Int
    hour: Int
    zone: String
    sendEmpty: Boolean
  }

  extend type Query {
    "Null where nobody is signed in."
    digestSettings: DigestSettings
  }

  extend type Mutation {
    "Errors: BAD_INPUT, with every field that is wrong in extensions.errors; UNAUTHENTICATED."
    setDigestSettings(input: DigestSettingsInput!): DigestSettings!
  }
`;

export function createDigestSettingsModule({ db, now }: { db: Database; now: () => Date }): GraphqlModule {
  return {
    typeDefs,
    resolvers: {
      Query: {
        digestSettings: (_root, _args, { request }) =>
          request.sessionUserId === null ? null : findDigestSettings(db, request.sessionUserId),
      },
      Mutation: {
        setDigestSettings: async (_root, { input }: { input: Given }, context) => {
          const userId = requireUser(context);
          const result = await changeDigestSettings(db, { userId, change: dropNulls(input), now: now() });
          if (!result) throw createGraphqlError('UNAUTHENTICATED', 'This account no longer exists.');
          if ('settings' in result) return result.settings;
          const message = result.problems.map(({ path, message: text }) => `${path} ${text}`).join('; ');
          throw createGraphqlError('BAD_INPUT', message, { errors: result.problems });
        },
      },
    },
  };
}

type Given = { [Field in keyof DigestSettingsChange]: DigestSettingsChange[Field] | null };

function dropNulls(input: Given): DigestSettingsChange {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
