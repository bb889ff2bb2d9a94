/**
 * The links that confirm and leave a newsletter: pages with a button, and the request of mail
 * programs (RFC 8058).
 */
import type { FastifyInstance } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { signUnsubscribe, verifyUnsubscribe } from '../../../store/mail-links/unsubscribe-token.ts';
import { unsubscribeReader } from '../../../store/newsletter/subscribe.ts';
import type { AccountDeps } from '../../auth/account-deps.ts';
import { findOpenLink } from '../../auth/mail-links.ts';
import { html } from '../../web/html.ts';
import { addMailLink, renderLinkPage } from '../../web/link-page.ts';
import { acceptOneClick, ONE_CLICK_FORM, requireOneClick } from '../../web/one-click.ts';
import { confirmSubscription } from './newsletter.ts';

interface NewsletterDeps extends AccountDeps {
  /** Signs and verifies the links that leave a newsletter. */
  unsubscribeKey: Buffer;
}

const LEAVE_PATH = '/newsletter/leave';

export async function newsletterRoutes(app: FastifyInstance, deps: NewsletterDeps) {
  const { db, now, unsubscribeKey: leaveKey } = deps;
  await acceptOneClick(app);
  const readId = (token: string): string => {
    const id = verifyUnsubscribe(leaveKey, 'newsletter', token);
    if (id !== null) return id;
    const message = 'The link may be incomplete or altered. Copy the complete address from the mail.';
    throw new RefusedCommandError('LINK_INVALID', message);
  };

  addMailLink(app, {
    path: '/newsletter/confirm',
    async show(token) {
      await findOpenLink(deps, token, 'confirm_subscription');
      return renderLinkPage(
        'Confirm your subscription',
        html`<form method="post"><button class="button primary">Confirm subscription</button></form>`,
      );
    },
    async act(token) {
      const { subscriptionId, username } = await confirmSubscription(deps, token);
      const leaveToken = encodeURIComponent(signUnsubscribe(leaveKey, 'newsletter', subscriptionId));
      return renderLinkPage(
        'Subscribed',
        html`<p>You can <a href="${LEAVE_PATH}?token=${leaveToken}">unsubscribe</a> at any time.</p>`,
        html`You are subscribed to @${username}`,
      );
    },
  });

  addMailLink(app, {
    path: LEAVE_PATH,
    show(token) {
      readId(token);
      return renderLinkPage(
        'Unsubscribe',
        html`<p>You will no longer receive this newsletter. You can subscribe again at any time.</p>
${ONE_CLICK_FORM}`,
        'Unsubscribe from the newsletter?',
      );
    },
    async act(token, request) {
      const id = readId(token);
      requireOneClick(request);
      await unsubscribeReader(db, id, now());
      return renderLinkPage(
        'Unsubscribed',
        html`<p>You will no longer receive this newsletter.</p>`,
        'You have unsubscribed',
      );
    },
  });
}
