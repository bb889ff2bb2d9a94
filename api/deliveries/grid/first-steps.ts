/**
 * Renders the first steps of an author, and of an operator who sets up the site. A step is done
 * when its fact is true.
 */
import { namePlatforms } from '../../../destinations/registry.ts';
import type { SetUpFacts } from '../../../store/users/set-up-facts.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import { type Html, html } from '../../web/html.ts';

const CONNECT = {
  text: html`Your blog at ${namePlatforms('disjunction')}: paste its API key once.`,
  button: { path: buildSettingsPath('connections'), text: 'Connect' },
};
const PUBLISH = {
  text: html`Write here, or publish a Markdown file: <code>courant publish article.md</code>`,
  button: { path: '/desk/write', text: 'Write' },
};

export function renderFirstSteps({ isConnected, hasToken }: { isConnected: boolean; hasToken: boolean }): Html {
  const about = 'Complete three steps. Your articles then appear here, each with its status at every destination.';
  return renderPanel('Your first publish', about, [
    { isDone: isConnected, title: 'Connect a destination', ...CONNECT },
    {
      isDone: hasToken,
      title: 'Create a token',
      text: html`The command line and your CI publish for you with a developer token.`,
      button: { path: buildSettingsPath('tokens'), text: 'Create a token' },
    },
    { isDone: false, title: 'Publish', ...PUBLISH },
  ]);
}

/** Null if every step is done. */
export function renderSetUp({ hasName, hasDestination, hasArticle }: SetUpFacts): Html | null {
  if (hasName && hasDestination && hasArticle) return null;
  const about =
    'You are an operator of this site. Three steps lead to its first article. This panel disappears when all are done.';
  return renderPanel('Set up this site', about, [
    {
      isDone: hasName,
      title: 'Set your name',
      text: html`Readers see it beside your articles. Enter a name that differs from your user name, or add a bio.`,
      button: { path: buildSettingsPath('profile'), text: 'Edit your profile' },
    },
    { isDone: hasDestination, title: 'Connect the first destination', ...CONNECT },
    { isDone: hasArticle, title: 'Publish the first article', ...PUBLISH },
  ]);
}

interface Step {
  isDone: boolean;
  title: string;
  text: Html;
  button: { path: string; text: string };
}

/** The button of the next step is emphasised. A done step has none. */
function renderPanel(heading: string, about: string, steps: readonly Step[]): Html {
  const next = steps.find(({ isDone }) => !isDone);
  return html`<section class="card steps"><h2>${heading}</h2><p>${about}</p><ol>${steps.map((step) => renderStep(step, step === next))}</ol></section>`;
}

function renderStep({ isDone, title, text, button }: Step, isNext: boolean): Html {
  if (isDone) return html`<li><span class="state good">Done</span><h3>${title}</h3></li>`;
  return html`<li><span class="state quiet">To do</span><div><h3>${title}</h3><p>${text}</p><a class="button${isNext ? ' primary' : ''}" href="${button.path}">${button.text}</a></div></li>`;
}
