/**
 * Simulates the part of Forem's Liquid that decides about acceptance and display: Forem escapes
 * code itself, `raw` protects its content, known embeds are accepted, `{{ … }}` is evaluated (to
 * nothing), anything else is an error.
 */

const KNOWN_TAGS = new Set(
  `agora_poll asciinema card codepen codesandbox collapsible cta details dotnetfiddle embed endcard endcollapsible enddetails
  endcta endkatex endspoiler forem gist github glitch instagram jsfiddle jsitor katex kotlin link listing loom medium nexttech org
  organization parler podcast poll reddit replit runkit slideshare soundcloud speakerdeck spoiler spotify stackblitz stackery
  stackexchange stackoverflow tag tweet twitch twitter user vimeo warcraftlogs wikipedia youtube`.split(/\s+/),
);

/**
 * Three backticks before two before one, across lines, as in Forem's own expression. Tildes are not
 * code.
 */
const CODE = /`{3}[\s\S]*?`{3}|`{2}[\s\S]+?`{2}|`[\s\S]+?`/g;
const TOKEN = /\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}?/g;

/** Replaces code by placeholders of the same length, for rules that ignore code. */
export function maskCode(markdown: string): string {
  return markdown.replace(CODE, (code) => '\u0000'.repeat(code.length));
}

/** Renders the text as readers see it, or returns the reason why Forem refuses it. */
export function renderLiquid(markdown: string): { text: string } | { error: string } {
  const codes: string[] = [];
  const template = markdown.replace(CODE, (code) => `\u0001${codes.push(code) - 1}\u0001`);
  let text = '';
  let position = 0;
  let raw = false;
  for (const match of template.matchAll(TOKEN)) {
    const token = match[0];
    text += template.slice(position, match.index);
    position = match.index + token.length;
    const name = readTagName(token);
    if (raw) {
      // A token that starts as something else may still end with the tag that closes `raw`.
      const end = /\{%-?\s*endraw\s*-?%\}$/.exec(token);
      text += end ? token.slice(0, end.index) : token;
      raw = !end;
    } else if (name === 'raw') {
      raw = true;
    } else if (token.startsWith('{{')) {
      if (!token.endsWith('}}')) return { error: "Variable '{{' was not properly terminated with regexp: /\\}\\}/" };
    } else if (name === null || !KNOWN_TAGS.has(name)) {
      return { error: `Liquid syntax error: Unknown tag '${name ?? token}'` };
    }
  }
  if (raw) return { error: "Liquid syntax error: 'raw' tag was never closed" };
  const rest = template.slice(position);
  if (/\{%|\{\{/.test(rest))
    return { error: `Liquid syntax error: '${rest.match(/\{%|\{\{/)?.[0]}' was not properly terminated` };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the placeholder set above
  return { text: (text + rest).replace(/\u0001(\d+)\u0001/g, (_, index: string) => codes[Number(index)] ?? '') };
}

function readTagName(token: string): string | null {
  return /^\{%-?\s*(\w+)/.exec(token)?.[1] ?? null;
}
