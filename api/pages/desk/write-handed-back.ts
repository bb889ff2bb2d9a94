/** A text that was not taken, for its author to send again. It is made of the form alone, whoever is signed in and whatever is away. */
import { type Html, html } from '../html.ts';
import { renderPage } from '../layout.ts';

export function renderHandedBack(
  { statusCode, message }: { statusCode: number; message: string },
  fields: readonly [name: string, value: string][],
): string {
  const content = fields.find(([name]) => name === 'content')?.[1] ?? '';
  const others = fields.filter(([name]) => name !== 'content');
  const signIn =
    statusCode === 401
      ? html`<p><a href="/login?next=/desk" target="_blank" rel="noopener">Sign in in another tab</a>, and come back to this one.</p>`
      : null;
  return renderPage(
    { title: 'Your text is still here' },
    html`<h1>Your text is still here</h1>
<div class="notice refused" role="alert"><p>${message}</p></div>
${signIn}<form method="post" action="/desk/write" enctype="multipart/form-data">
${others.map(renderHidden)}
<div class="field"><label for="write-text">Markdown, with its frontmatter</label><textarea id="write-text" name="content" rows="20" dir="auto">
${content}</textarea></div>
<p class="soft">Sent again it does what you chose. It is never published twice.</p>
<p><button class="button primary">Send it again</button></p>
</form>`,
  );
}

function renderHidden([name, value]: readonly [string, string]): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}
