/** GraphQL types and fields of profiles: of the signed-in user (`me`) and public ones (`user`). */
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import type { ListPosition } from '../../../store/lists/article-list.ts';
import { type ArticleCard, listCards } from '../../../store/lists/list-articles.ts';
import { findOwnProfile, findPublicProfile, type PublicProfile } from '../../../store/users/profile.ts';
import { ALLOW_UNCONFIRMED_FIELD, builder, exposeFields } from '../../graphql/builder.ts';
import { requireUser } from '../../graphql/context.ts';
import { createInputError } from '../../graphql/errors.ts';
import { createConnectionType, pageArgs, pageCost, readPage } from '../../graphql/pages.ts';
import { readTimePosition } from '../../web/lists/cursor.ts';
import { changeProfile, type OwnProfile } from './profile-rules.ts';

const User = builder.objectRef<OwnProfile>('User').implement({
  description: 'The signed-in author.',
  fields: (t) => ({
    ...exposeFields(t, {
      id: ['ID!', 'The id of the account, which never changes.'],
      username: ['String!', 'The name in URLs, as in /authors/<username>.'],
      name: ['String!', 'The name that readers see.'],
      email: ['String!', 'The address for mails. Only you can read it.'],
      bio: ['String', 'The bio, in plain text; null if it is empty.'],
      links: ['[String!]!', 'The URLs of profiles on other sites: authorSameAs of your articles.'],
      pictureUrl: ['String', 'The URL of the picture; null if there is none.'],
      contentSignal: ['String', 'The uses of all your articles that agents are allowed; null if no preference is set.'],
      articleCount: ['Int!', 'The number of public articles.'],
      followerCount: ['Int!', 'The number of followers.'],
      createdAt: ['DateTime!', 'When the account was created.'],
    }),
    emailConfirmed: t.boolean({
      description:
        'Whether the address is confirmed with the link in our mail. Commenting, following and creating tokens require it.',
      resolve: ({ emailConfirmedAt }) => emailConfirmedAt !== null,
    }),
    isTrusted: t.exposeBoolean('trusted', {
      description: 'Whether the operator vouches for you, as shown in the description document of each article.',
    }),
  }),
});

const PublicArticle = builder.objectRef<ArticleCard>('PublicArticle').implement({
  description: 'An article as the public sees it.',
  fields: (t) => ({
    ...exposeFields(t, {
      slug: ['String!', 'The slug in the URL.'],
      title: ['String!', 'The title.'],
      excerpt: ['String!', 'The excerpt from the author, otherwise the beginning of the article.'],
      tags: ['[String!]!', 'The tags, in the order that the author chose.'],
      publishedAt: ['DateTime!', 'When the article was published.'],
    }),
    url: t.string({
      description: 'The URL of the article on this site.',
      resolve: ({ slug }, _args, { deps }) => buildArticleUrl(deps.config.baseUrl, slug),
    }),
  }),
});

const PublicArticleConnection = createConnectionType(PublicArticle, {
  name: 'PublicArticle',
  description: 'A page of public articles.',
  edge: 'A public article in a list.',
});

const Profile = builder.objectRef<PublicProfile>('Profile').implement({
  description: 'An author as the public sees them.',
  fields: (t) => ({
    ...exposeFields(t, {
      username: ['String!', 'The name in URLs, as in /authors/<username>.'],
      name: ['String!', 'The name that readers see.'],
      bio: ['String', 'The bio, in plain text; null if it is empty.'],
      links: ['[String!]!', 'The URLs of profiles on other sites.'],
      pictureUrl: ['String', 'The URL of the picture; null if there is none.'],
      articleCount: ['Int!', 'The number of public articles.'],
      followerCount: ['Int!', 'The number of followers.'],
      createdAt: ['DateTime!', 'When the account was created.'],
    }),
    isTrusted: t.exposeBoolean('trusted', { description: 'Whether the operator vouches for this author.' }),
    articles: t.field({
      type: PublicArticleConnection,
      complexity: pageCost,
      description: 'The public articles of this author, newest first. Errors: BAD_CURSOR, BAD_INPUT.',
      args: pageArgs,
      resolve: ({ id }, args, { deps }) =>
        readPage({
          args,
          list: ['public articles', id],
          readPosition: readPublicPosition,
          load: (limit, after) => listCards(deps.db, { authorId: id, tag: null }, { limit, after, reader: 'person' }),
          locate: ({ publishedMicros, id: articleId }) => ({ publishedAt: publishedMicros, id: articleId }),
        }),
    }),
  }),
});

const ProfileInput = builder.inputType('ProfileInput', {
  description: 'Changes to the profile. Omitted fields stay unchanged. Null clears any field except the name.',
  fields: (t) => ({
    name: t.string({ description: 'The name: one line of at most 80 characters.' }),
    bio: t.string({ description: 'The bio: plain text of at most 1,000 characters.' }),
    links: t.stringList({ description: 'At most 10 http or https URLs.' }),
    pictureUrl: t.string({ description: 'An http or https URL.' }),
    contentSignal: t.string({
      description:
        'The uses of all your articles that agents are allowed, as in: search=yes, ai-input=yes, ai-train=no.',
    }),
  }),
});

builder.queryFields((t) => ({
  me: t.field({
    type: User,
    nullable: true,
    skipTypeScopes: true,
    description: 'The signed-in author; null if nobody is signed in.',
    resolve: (_root, _args, { deps, request }) =>
      request.session === null ? null : findOwnProfile(deps.db, request.session.userId),
  }),
  user: t.field({
    type: Profile,
    nullable: true,
    skipTypeScopes: true,
    description: 'The author with this user name, in any letter case; null if there is none.',
    args: { username: t.arg.string({ required: true, description: 'The user name, as in /authors/<username>.' }) },
    resolve: (_root, { username }, { deps }) => findPublicProfile(deps.db, username),
  }),
}));

builder.mutationFields((t) => ({
  updateProfile: t.field({
    ...ALLOW_UNCONFIRMED_FIELD,
    type: User,
    description:
      'Changes your profile. Errors: BAD_INPUT, with every invalid field in extensions.errors; UNAUTHENTICATED.',
    args: { input: t.arg({ type: ProfileInput, required: true, description: 'The changes.' }) },
    resolve: async (_root, { input }, context) => {
      const changed = await changeProfile(context.deps.db, requireUser(context), input);
      if ('profile' in changed) return changed.profile;
      throw createInputError(changed.problems);
    },
  }),
}));

function readPublicPosition({ publishedAt, id }: Record<string, unknown>): ListPosition | null {
  const position = readTimePosition(publishedAt, id);
  return position && { publishedAt: position.micros, id: position.id };
}
