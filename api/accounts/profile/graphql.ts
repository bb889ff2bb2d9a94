/** GraphQL types and fields of profiles: of the signed-in user (`me`) and public ones (`user`). */

import { buildArticleUrl } from '../../../article/identity/slug.ts';
import {
  listPublicArticles,
  type PublicArticleCursor,
  type PublicSummary,
} from '../../../store/articles/public-articles.ts';
import { findOwnProfile, findPublicProfile, type PublicProfile } from '../../../store/users/profile.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createGraphqlError } from '../../graphql/errors.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { readTimePosition } from '../../web/lists/positions.ts';
import { changeProfile, type OwnProfile } from './change-profile.ts';
import '../../graphql/date-time.ts';

const User = builder.objectRef<OwnProfile>('User').implement({
  description: 'The signed-in author.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Stays the same whatever else changes.' }),
    username: t.exposeString('username', { description: 'The name in addresses, as in /authors/<username>.' }),
    name: t.exposeString('name', { description: 'The name that readers see.' }),
    email: t.exposeString('email', { description: 'Where mails go; nobody else is shown it.' }),
    emailConfirmed: t.boolean({
      description:
        'Whether the link in our mail to that address was opened; before that nobody comments, follows or makes tokens.',
      resolve: ({ emailConfirmedAt }) => emailConfirmedAt !== null,
    }),
    bio: t.exposeString('bio', { nullable: true, description: 'Plain text; null where nothing was said.' }),
    links: t.exposeStringList('links', { description: 'Profiles on other sites: authorSameAs of your articles.' }),
    pictureUrl: t.exposeString('pictureUrl', {
      nullable: true,
      description: 'Address of a picture; null without one.',
    }),
    contentSignal: t.exposeString('contentSignal', {
      nullable: true,
      description: 'What agents may do with all of your texts; null where nothing was said.',
    }),
    isTrusted: t.exposeBoolean('trusted', { description: 'As agents are told in each article’s document.' }),
    articleCount: t.exposeInt('articleCount', { description: 'Articles that are public.' }),
    followerCount: t.exposeInt('followerCount', { description: 'People who follow you.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the account was made.' }),
  }),
});

const PublicArticle = builder.objectRef<PublicSummary>('PublicArticle').implement({
  description: 'An article as everybody sees it.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'Its name in addresses.' }),
    title: t.exposeString('title', { description: 'Its main headline.' }),
    excerpt: t.exposeString('excerpt', { description: 'Its author’s, else its beginning.' }),
    tags: t.exposeStringList('tags', { description: 'Its topics, in the order in which they were given.' }),
    url: t.string({
      description: 'Where readers find it here.',
      resolve: ({ slug }, _args, { deps }) => buildArticleUrl(deps.config.baseUrl, slug),
    }),
    publishedAt: t.expose('publishedAt', { type: 'DateTime', description: 'When it became public.' }),
  }),
});

const PublicArticleConnection = createConnectionType(PublicArticle, {
  name: 'PublicArticle',
  description: 'A page of public articles.',
  edge: 'A public article in a list.',
});

const Profile = builder.objectRef<PublicProfile>('Profile').implement({
  description: 'An author as everybody sees them.',
  fields: (t) => ({
    username: t.exposeString('username', { description: 'The name in addresses, as in /authors/<username>.' }),
    name: t.exposeString('name', { description: 'The name that readers see.' }),
    bio: t.exposeString('bio', { nullable: true, description: 'Plain text; null where nothing was said.' }),
    links: t.exposeStringList('links', { description: 'Profiles on other sites.' }),
    pictureUrl: t.exposeString('pictureUrl', {
      nullable: true,
      description: 'Address of a picture; null without one.',
    }),
    isTrusted: t.exposeBoolean('trusted', { description: 'Whether the operator vouches for this author.' }),
    articleCount: t.exposeInt('articleCount', { description: 'Articles that are public.' }),
    followerCount: t.exposeInt('followerCount', { description: 'People who follow this author.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when this author is here.' }),
    articles: t.field({
      type: PublicArticleConnection,
      complexity: pageCost,
      description: 'What this author has published, the newest first. Errors: BAD_CURSOR, BAD_INPUT.',
      args: pageArgs,
      resolve: ({ id }, args, { deps }) =>
        readPage({
          args,
          list: ['public articles', id],
          readPosition: readPublicPosition,
          load: (limit, after) => listPublicArticles(deps.db, id, { limit, after }),
          locate: ({ publishedMicros, id: articleId }) => ({ publishedAt: publishedMicros, id: articleId }),
        }),
    }),
  }),
});

builder.queryField('me', (t) =>
  t.field({
    type: User,
    nullable: true,
    skipTypeScopes: true,
    description: 'Null where nobody is signed in.',
    resolve: (_root, _args, { deps, request }) =>
      request.session === null ? null : findOwnProfile(deps.db, request.session.userId),
  }),
);

builder.queryField('user', (t) =>
  t.field({
    type: Profile,
    nullable: true,
    skipTypeScopes: true,
    description: 'An author by user name, in any case; null where there is none.',
    args: { username: t.arg.string({ required: true, description: 'As in /authors/<username>.' }) },
    resolve: (_root, { username }, { deps }) => findPublicProfile(deps.db, username),
  }),
);

const ProfileInput = builder.inputType('ProfileInput', {
  description: 'What is not given stays as it is; null empties a field, but the name.',
  fields: (t) => ({
    name: t.string({ description: 'One line of at most 80 characters.' }),
    bio: t.string({ description: 'Plain text of at most 1,000 characters.' }),
    links: t.stringList({ description: 'At most 10 addresses of http or https.' }),
    pictureUrl: t.string({ description: 'An address of http or https.' }),
    contentSignal: t.string({
      description: 'What agents may do with all of your texts, as in: search=yes, ai-input=yes, ai-train=no.',
    }),
  }),
});

builder.mutationField('updateProfile', (t) =>
  t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: User,
    description: 'Errors: BAD_INPUT, with every field that is wrong in extensions.errors; UNAUTHENTICATED.',
    args: { input: t.arg({ type: ProfileInput, required: true, description: 'What is to change.' }) },
    resolve: async (_root, { input }, context) => {
      const changed = await changeProfile(context.deps.db, requireUser(context), input);
      if ('profile' in changed) return changed.profile;
      const message = changed.problems.map(({ path, message: text }) => `${path} ${text}`).join('; ');
      throw createGraphqlError('BAD_INPUT', message, { errors: changed.problems });
    },
  }),
);

function readPublicPosition({ publishedAt, id }: Record<string, unknown>): PublicArticleCursor | null {
  const position = readTimePosition(publishedAt, id);
  return position && { publishedAt: position.micros, id: position.id };
}
