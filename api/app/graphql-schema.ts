/** Builds the GraphQL schema. Each import adds the fields of one subject to the builder. */
import { meterResponses } from '../graphql/bounds/response-meter.ts';
import { builder } from '../graphql/builder.ts';
import '../accounts/sign-in/graphql.ts';
import '../articles/graphql/commands.ts';
import '../articles/graphql/articles.ts';
import '../readers/comments/graphql.ts';
import '../connections/graphql.ts';
import '../deliveries/graphql.ts';
import '../accounts/tokens/graphql.ts';
import '../notifications/digest/graphql.ts';
import '../readers/engagement/graphql.ts';
import '../articles/imports/graphql.ts';
import '../accounts/deletion/graphql.ts';
import '../readers/newsletter/graphql.ts';
import '../notifications/graphql.ts';
import '../accounts/profile/graphql.ts';
import '../articles/series/graphql.ts';
import '../accounts/sessions/graphql.ts';

export const schema = meterResponses(builder.toSchema());
