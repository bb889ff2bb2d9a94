/** Development pages of mails that were stored instead of sent. */
import { html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';

interface ListedMail {
  name: string;
  to: string;
  subject: string;
  date: string;
}

export function renderMailListPage(mails: readonly ListedMail[]): string {
  const items = mails.map(
    ({ name, to, subject, date }) => html`<li><a href="/dev/mails/${encodeURIComponent(name)}">${subject}</a>
<p class="byline">${to} · <time datetime="${date}">${date.slice(0, 16).replace('T', ' ')} UTC</time></p></li>`,
  );
  const list = mails.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>No mail has been sent yet.</p>`;
  return renderPage(
    { title: 'Mails · Courant' },
    html`<h1>Mails</h1><p>SMTP_URL is not set, so mails are stored here instead of being sent.</p>${list}`,
  );
}

export function renderMailPage(mail: ListedMail & { text: string; source: string }): string {
  const { name, subject, to, date, text, source } = mail;
  const head = source.slice(0, source.indexOf('\r\n\r\n'));
  return renderPage(
    { title: `${subject} · Mails` },
    html`<p><a href="/dev/mails">All mails</a></p>
<h1>${subject}</h1>
<p class="byline">${to} · ${date.slice(0, 16).replace('T', ' ')} UTC</p>
<iframe class="mail" title="The mail as HTML" sandbox src="/dev/mails/${encodeURIComponent(name)}/html"></iframe>
<h2>Text</h2>
<pre>${text}</pre>
<h2>Headers</h2>
<pre>${head}</pre>`,
  );
}
