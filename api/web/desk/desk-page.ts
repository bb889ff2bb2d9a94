/** The frame of the desk's pages, each rendered for its signed-in author. */
import type { Viewer } from '../../../store/users/find-viewer.ts';
import { getBuiltFile } from '../assets/built-files.ts';
import { renderHead } from '../head.ts';
import { type Html, html } from '../html.ts';
import { type Notice, renderNotice } from '../notice.ts';
import { renderIcon } from './icons.ts';

export interface DeskPage {
  title: string;
  current: DeskSection;
  /** Buttons beside the title. */
  actions?: Html | null;
  /** An additional script bundle of `browser/`, such as `write.js`. */
  script?: string;
  /** An additional style sheet, such as `write.css`. */
  style?: string;
}

export type DeskSection = (typeof SECTIONS)[number]['name'];

const SECTIONS = [
  { name: 'articles', path: '/desk', text: 'Articles' },
  { name: 'write', path: '/desk/write', text: 'Write' },
  { name: 'calendar', path: '/desk/calendar', text: 'Calendar' },
  { name: 'statistics', path: '/desk/statistics', text: 'Statistics' },
  { name: 'notifications', path: '/desk/notifications', text: 'Notifications' },
  { name: 'settings', path: '/desk/settings', text: 'Settings' },
] as const;

const DESCRIPTION = 'The state of your articles and deliveries.';

/** `notice`: the result of the submitted form. `isLive`: the script refreshes a changed page. */
export function renderDeskPage(
  page: DeskPage,
  { viewer, notice, isLive }: { viewer: Viewer; notice: Notice | null; isLive: boolean },
  body: Html,
) {
  const scripts = ['desk.js', ...(page.script === undefined ? [] : [page.script])];
  const styles = ['desk.css', ...(page.style === undefined ? [] : [page.style])];
  const assets = html`${styles.map((name) => html`<link rel="stylesheet" href="${getBuiltFile(name).path}">\n`)}${scripts.map((name) => html`<script src="${getBuiltFile(name).path}" defer></script>\n`)}`;
  const head = { title: `${page.title} · Courant`, description: DESCRIPTION, isNoindex: true };
  return html`${renderHead(head, assets)}<body class="desk-body"${viewer.zone === null ? null : html` data-zone="${viewer.zone}"`}>
<a class="skip" href="#main">Skip to content</a>
<header class="desk-bar">
<a class="wordmark" href="/">Courant</a>
<nav class="desk-nav" aria-label="Desk"><ul>${SECTIONS.map((section) => renderEntry(section, page.current, viewer))}</ul></nav>
<div class="desk-who"><p><span>Signed in as</span> <a href="/authors/${viewer.username}">${viewer.name}</a></p>
<form method="post" action="/logout"><button class="button compact">Sign out</button></form></div>
</header>
<main id="main" class="desk-main"${isLive ? html` data-live` : null}>
<header><h1 dir="auto">${page.title}</h1>${page.actions}</header>
${viewer.emailConfirmed ? null : UNCONFIRMED}${renderNotice(notice)}
${body}
</main>
</body>
</html>
`.text;
}

function renderEntry({ name, path, text }: (typeof SECTIONS)[number], current: DeskSection, { unread }: Viewer): Html {
  const badge = html` <span class="badge" data-unread${unread === 0 ? html` hidden` : null}>${unread}</span>`;
  return html`<li><a href="${path}"${name === current ? html` aria-current="page"` : null}>${renderIcon(name)} ${text}${
    name === 'notifications' ? badge : null
  }</a></li>`;
}

const UNCONFIRMED = html`<div class="notice warning"><p>Your e-mail address is not confirmed yet: open the link in the mail from us. Until then you
can read articles and change your settings. You cannot publish, preview, connect destinations, create tokens, comment, react or follow.</p><form method="post" action="/account/resend-confirmation"><button class="button compact">Send the mail again</button></form></div>`;
