/** Routes that follow an author and subscribe to the newsletter. */
import type { FastifyInstance } from 'fastify';
import { isFollowing, unfollow } from '../../../store/follows/follow.ts';
import { findPublicProfile } from '../../../store/users/profile.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { describeClient } from '../../auth/open-session.ts';
import { acceptsJson, readField } from '../../web/forms.ts';
import { renderNotFoundPage } from '../../web/not-found-page.ts';
import { consumeNotice } from '../../web/notice.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import type { ReaderDeps } from '../deps.ts';
import { subscribe } from '../newsletter/newsletter.ts';
import { buildAuthorPath } from '../paths.ts';
import { respondToReader, respondToViewer } from '../respond-to-reader.ts';
import { renderAuthorViewerPage } from '../viewer-pages.ts';
import { followAuthor } from './follow.ts';
import { renderSubscribeForm } from './follow-button.ts';

interface OfAuthor {
  Params: { username: string };
}

const NOT_FOLLOWED = { isFollowed: false };

export async function authorForms(app: FastifyInstance, deps: ReaderDeps) {
  const { db } = deps;

  app.post<OfAuthor>('/people/:username/follow', (request, reply) => {
    const { username } = request.params;
    return respondToViewer(
      deps,
      { request, reply },
      { title: 'follow', back: buildBackLink(username) },
      async (viewer) => {
        await followAuthor(deps, { followerId: viewer.userId, username });
        return { path: buildAuthorPath(username, 'viewer'), notice: `You now follow @${username}.` };
      },
    );
  });

  app.post<OfAuthor>('/people/:username/unfollow', { config: ALLOW_UNCONFIRMED }, (request, reply) => {
    const { username } = request.params;
    return respondToViewer(
      deps,
      { request, reply },
      { title: 'unfollow', back: buildBackLink(username) },
      async (viewer) => {
        await unfollow(db, { followerId: viewer.userId, username });
        return { path: buildAuthorPath(username, 'viewer'), notice: `You no longer follow @${username}.` };
      },
    );
  });

  app.post<OfAuthor>('/people/:username/subscribe', { config: ALLOW_UNCONFIRMED }, (request, reply) => {
    const { username } = request.params;
    const email = readField(request, 'email');
    const action = {
      title: 'subscribe',
      back: buildBackLink(username),
      filledForm: renderSubscribeForm(username, email.slice(0, MAX_SHOWN_CHARACTERS)),
    };
    return respondToReader({ request, reply }, action, async () => {
      await subscribe(deps, describeClient(request), { username, email });
      const notice = 'Check your inbox to confirm your subscription.';
      return { path: buildAuthorPath(username, 'viewer'), notice };
    });
  });

  /** JSON for the script of the author's page; otherwise the page to which its forms redirect. */
  app.get<OfAuthor>('/people/:username/viewer', async (request, reply) => {
    const userId = request.viewer?.userId ?? null;
    reply.headers(PRIVATE_HEADERS);
    if (userId === null && acceptsJson(request)) return reply.code(401).send(NOT_FOLLOWED);
    const author = await findPublicProfile(db, request.params.username);
    if (!author)
      return acceptsJson(request) ? reply.code(404).send(NOT_FOLLOWED) : sendPage(reply, 404, renderNotFoundPage());
    const isFollowed = userId !== null && (await isFollowing(db, { followerId: userId, authorId: author.id }));
    if (acceptsJson(request)) return { isFollowed };
    const { username, name } = author;
    const shown = { username, name, isFollowed, isSelf: author.id === userId };
    return sendPage(reply, 200, renderAuthorViewerPage(shown, consumeNotice(request, reply)), PRIVATE_HEADERS);
  });
}

/** Longer input is not a valid address, and its error page shows only the beginning. */
const MAX_SHOWN_CHARACTERS = 300;

function buildBackLink(username: string) {
  return { path: buildAuthorPath(username), text: 'Back to the articles' };
}
