/** Renders the steps to a first publish, for an author without articles. */
import { type Html, html } from '../../web/html.ts';

export function renderFirstSteps({ isConnected, hasToken }: { isConnected: boolean; hasToken: boolean }): Html {
  return html`<div data-message aria-live="polite"></div>
<div id="grid"><section class="card steps"><h2>Your first publish</h2><p>Complete three steps. Your articles then appear here, each with its status at every destination.</p><ol>
${renderStep(isConnected, html`<h3>Connect a destination</h3><p>Your blog at DEV, Hashnode, Medium, WordPress, Ghost or LinkedIn: paste its API key once.</p><a class="button" href="/desk/settings">Connect</a>`)}
${renderStep(hasToken, html`<h3>Create a token</h3><p>The command line and your CI publish for you with a developer token.</p><a class="button" href="/desk/settings">Create a token</a>`)}
${renderStep(false, html`<h3>Publish</h3><p>Write here, or publish a Markdown file: <code>courant publish article.md</code></p><a class="button primary" href="/desk/write">Write</a>`)}
</ol></section></div>`;
}

function renderStep(isDone: boolean, body: Html): Html {
  const mark = isDone ? html`<span class="state good">Done</span>` : html`<span class="state quiet">To do</span>`;
  return html`<li${isDone ? html` class="done"` : null}>${mark}<div>${body}</div></li>`;
}
