/** Routes that follow an author and subscribe to the newsletter. */
import type { FastifyInstance } from 'fastify';
import { type FollowTarget, isFollowing, unfollow } from '../../../store/follows/follow.ts';
import { findPublicProfile } from '../../../store/users/profile.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { describeClient } from '../../auth/open-session.ts';
import type { ReaderDeps } from '../../deps.ts';
import { acceptsJson, readField } from '../../web/forms.ts';
import { html } from '../../web/html.ts';
import { renderNotFoundPage } from '../../web/not-found-page.ts';
import { consumeNotice } from '../../web/notice.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { followAuthor } from '../limits.ts';
import { subscribe } from '../newsletter/newsletter.ts';
import { buildAuthorPath } from '../paths.ts';
import { renderReaderPage } from '../reader-pages.ts';
import { respondToReader, respondToViewer } from '../respond-to-reader.ts';
import { renderFollowForm, renderSubscribeForm } from './buttons.ts';

interface OfAuthor {
  Params: { username: string };
}

const NOT_FOLLOWED = { isFollowed: false };

export async function authorForms(app: FastifyInstance, deps: ReaderDeps) {
  const { db } = deps;

  for (const { act, config, run, notice } of [
    { act: 'follow', config: {}, run: followAuthor, notice: 'You now follow' },
    { act: 'unfollow', config: ALLOW_UNCONFIRMED, run: unfollowAuthor, notice: 'You no longer follow' },
  ]) {
    app.post<OfAuthor>(`/people/:username/${act}`, { config }, (request, reply) => {
      const { username } = request.params;
      const action = { title: act, back: buildBackLink(username) };
      return respondToViewer(deps, { request, reply }, action, async ({ userId }) => {
        await run(deps, { followerId: userId, username });
        return { path: buildAuthorPath(username, 'viewer'), notice: `${notice} @${username}.` };
      });
    });
  }

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
    const state = isFollowed ? 'You follow this author.' : 'You do not follow this author.';
    const body = html`${author.id === userId ? html`<p>This is you.</p>` : html`<p>${state}</p>${renderFollowForm(username, { isFollowed })}`}
<h2 class="rule">Newsletter</h2>
${renderSubscribeForm(username)}`;
    const page = renderReaderPage(name, { notice: consumeNotice(request, reply), back: buildBackLink(username) }, body);
    return sendPage(reply, 200, page, PRIVATE_HEADERS);
  });
}

/** Longer input is not a valid address, and its error page shows only the beginning. */
const MAX_SHOWN_CHARACTERS = 300;

function unfollowAuthor({ db }: Pick<ReaderDeps, 'db'>, target: FollowTarget): Promise<void> {
  return unfollow(db, target);
}

function buildBackLink(username: string) {
  return { path: buildAuthorPath(username), text: 'Back to the articles' };
}
