/** Checks the links in mails: each is valid once, until it expires. */
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { LinkPurpose } from '../../store/db/types.ts';
import { type FoundLink, findLink } from '../../store/mail-links/links.ts';
import type { AccountDeps } from './account-deps.ts';

/** Finds a link that is neither used nor expired. Errors: LINK_INVALID. */
export async function findOpenLink(
  { db, linkKey, now }: AccountDeps,
  token: string,
  purpose: LinkPurpose,
): Promise<FoundLink> {
  const link = await findLink(db, linkKey, { token, purpose, now: now() });
  if (link?.state !== 'open') throw createLinkInvalidError(link);
  return link;
}

export function createLinkInvalidError(link: FoundLink | null): RefusedCommandError {
  const message =
    link === null
      ? 'This link is not valid: it is incomplete, already used or expired. Copy the whole address from the mail, or request another mail.'
      : `This link ${link.state === 'used' ? 'was already used' : 'has expired'}. Request another mail.`;
  return new RefusedCommandError('LINK_INVALID', message);
}
