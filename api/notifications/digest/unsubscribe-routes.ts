/** The unsubscribe link of a digest: a page with a button, and the request of mail programs (RFC 8058). */
import type { FastifyInstance } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { verifyUnsubscribe } from '../../../store/mail-links/unsubscribe-token.ts';
import { html } from '../../web/html.ts';
import { addMailLink, renderLinkPage } from '../../web/link-page.ts';
import { acceptOneClick, ONE_CLICK_FORM, requireOneClick } from '../../web/one-click.ts';

interface UnsubscribeDeps {
  /** From `loadUnsubscribeKey`. */
  unsubscribeKey: Buffer;
  /** Idempotent; does nothing for a user who no longer exists. */
  turnOffDigest: (userId: string) => Promise<unknown>;
}

export const UNSUBSCRIBE_PATH = '/digest/unsubscribe';

export async function unsubscribeRoutes(app: FastifyInstance, { unsubscribeKey, turnOffDigest }: UnsubscribeDeps) {
  await acceptOneClick(app);
  const readUserId = (token: string): string => {
    const userId = verifyUnsubscribe(unsubscribeKey, 'digest', token);
    if (userId !== null) return userId;
    const message =
      'The link may be incomplete or altered. Copy the complete address from the mail, or turn the digest off in your digest settings.';
    throw new RefusedCommandError('LINK_INVALID', message);
  };

  addMailLink(app, {
    path: UNSUBSCRIBE_PATH,
    show(token) {
      readUserId(token);
      return renderLinkPage(
        'Unsubscribe',
        html`<p>You will no longer receive the digest. Your articles and your account stay unchanged.</p>
${ONE_CLICK_FORM}`,
        'Unsubscribe from the digest?',
      );
    },
    async act(token, request) {
      const userId = readUserId(token);
      requireOneClick(request);
      await turnOffDigest(userId);
      return renderLinkPage(
        'Unsubscribed',
        html`<p>You will no longer receive the digest. You can turn it on again in your digest settings.</p>`,
        'The digest is off',
      );
    },
  });
}
