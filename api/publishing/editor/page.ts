/**
 * Renders the page for writing, complete without script. The script adds the editor, a live preview
 * and reading of folders.
 */
import { findDescriptor } from '../../../destinations/registry.ts';
import type { listConnections } from '../../../store/connections/list.ts';
import { renderLocatedMessage } from '../../web/desk/field-message.ts';
import { type Html, html } from '../../web/html.ts';
import { renderPreview } from './preview.ts';
import type { TextPreview } from './preview-text.ts';
import type { WriteForm } from './read-form.ts';

export interface WritePage {
  form: WriteForm;
  /** Null until the author requests it. */
  preview: TextPreview | null;
  problem: WriteProblem | null;
  key: string;
  seen: string;
  /** Separates the texts of several users in one browser. */
  userId: string;
  /** Time zone selected in the form. */
  zone: string;
  /** Time zone of displayed times. */
  ownZone: string;
  connections: Awaited<ReturnType<typeof listConnections>>;
}

/** The reason why nothing was changed. */
export interface WriteProblem {
  code: string;
  message: string;
  errors: readonly { path: string; message: string; line?: number; column?: number }[];
}

export function renderWritePage(page: WritePage): Html {
  const { form, preview, problem, key, seen, userId, ownZone } = page;
  return html`<div class="write" data-write data-user="${userId}">
<div class="write-side">
<div id="write-says" role="status"></div>
${renderProblem(problem)}
<div id="write-stored"></div>
<form id="write-form" method="post" action="/desk/write" enctype="multipart/form-data">
<input type="hidden" name="user" value="${userId}"><input type="hidden" name="key" value="${key}"><input type="hidden" name="seen" value="${seen}">
<input type="hidden" name="article" value="${form.articleId}"><input type="hidden" name="fileName" value="${form.fileName}">
<div class="write-head"><label for="write-text">Markdown, with its frontmatter</label><button class="button compact" name="intent" value="preview" id="write-look">Preview</button></div>
<div id="write-editor" hidden></div>
<textarea id="write-text" name="content" rows="24" spellcheck="true" dir="auto" aria-describedby="write-hint" placeholder="${EXAMPLE}">
${form.content}</textarea>
<p class="hint soft small" id="write-hint">Write here, or paste or drop a Markdown file. The article needs a title, in its frontmatter or as its first heading. Press Tab to leave the editor.</p>
${renderWhere(page)}
${problem?.code === 'doubtful' ? renderSure(form.isSure) : html`<div id="write-sure" hidden>${renderSure(form.isSure)}</div>`}
<div class="actions"><button class="button primary" name="intent" value="publish">Publish now</button><button class="button" name="intent" value="draft">Save as a draft</button></div>
${renderWhen(page)}
</form>
<form class="card write-open" method="post" action="/desk/write" enctype="multipart/form-data"><div class="field"><label for="write-file">Open a Markdown file</label><input type="file" id="write-file" name="file" accept=".md,.mdx,.markdown,.txt,text/markdown,text/plain"></div>
<div class="actions"><button class="button" name="intent" value="open" id="write-open">Open</button><button class="button" type="button" id="write-folder" hidden>Choose a folder</button></div></form>
</div>
<section class="write-preview" aria-labelledby="write-preview-title"><h2 id="write-preview-title">Preview</h2><div id="write-preview" aria-busy="false">${preview ? renderPreview(preview, { where: form.where, zone: ownZone }) : html`<p class="soft">Problems, a preview and the changes at each destination appear here.</p>`}</div></section>
</div>
<section id="write-files" class="write-files" aria-labelledby="write-files-title" hidden><h2 id="write-files-title" tabindex="-1">Files</h2></section>`;
}

const EXAMPLE = '---\ntitle: My first post\ntags: [writing]\n---\n\nThe text.';

function renderProblem(problem: WriteProblem | null): Html | null {
  if (problem === null) return null;
  const list = problem.errors.map((error) => html`<li>${renderLocatedMessage(error)}</li>`);
  return html`<div class="notice refused" role="alert"><p>${problem.message}</p>${list.length > 0 ? html`<ul>${list}</ul>` : null}</div>`;
}

function renderWhere({ form, connections }: WritePage): Html {
  const { where, destinations } = form;
  const choice = (value: typeof where, text: string, hint: string) =>
    html`<label class="choice"><input type="radio" name="where" value="${value}"${value === where ? html` checked` : null}> <span>${text} <span class="soft small">${hint}</span></span></label>`;
  const boxes = connections.map(
    ({ destination, platform, account }) =>
      html`<li><label class="choice"><input type="checkbox" name="destination" value="${destination}"${destinations.includes(destination) ? html` checked` : null}> <span>${findDescriptor(platform)?.label ?? platform}${account ? html` <bdi class="soft small">${account}</bdi>` : null}</span></label></li>`,
  );
  const chosen =
    boxes.length > 0
      ? html`${choice('chosen', 'Selected destinations', '')}<ul class="plain-list write-boxes" aria-label="Destinations">${boxes}</ul>`
      : null;
  return html`<fieldset><legend>Destinations</legend>
${choice('document', 'Use the frontmatter', 'cross_post')}
${chosen}
${choice('here', 'This site only', '')}
${boxes.length === 0 ? html`<p class="soft small">No destination is connected: the article appears on this site only. <a href="/desk/settings/connections">Connect a destination</a></p>` : null}</fieldset>`;
}

function renderWhen({ form, zone }: WritePage): Html {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
  const options = (zones.includes(zone) ? zones : [zone, ...zones]).map(
    (name) => html`<option${name === zone ? html` selected` : null}>${name}</option>`,
  );
  const isOpen = form.intent === 'schedule' || form.date !== '' || form.time !== '';
  return html`<details class="card write-later"${isOpen ? html` open` : null}><summary>Schedule for later</summary><p class="soft small">Leave empty to use scheduled_at from the frontmatter.</p>
<div class="write-when"><div class="field"><label for="write-date">Day</label><input type="date" id="write-date" name="date" value="${form.date}"></div>
<div class="field"><label for="write-time">Time</label><input type="time" id="write-time" name="time" value="${form.time}"></div>
<div class="field"><label for="write-zone">Time zone</label><select id="write-zone" name="zone">${options}</select></div></div>
<button class="button" name="intent" value="schedule">Schedule</button></details>`;
}

function renderSure(isSure: boolean): Html {
  return html`<label class="choice notice warning"><input type="checkbox" name="sure" value="yes"${isSure ? html` checked` : null}> <span>I am sure. Continue anyway.</span></label>`;
}
