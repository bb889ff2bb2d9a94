/** Records syntax that pages leave out or show as text, each kind with its first line. */
import type { Root } from 'mdast';
import type { Notice } from '../types.ts';

const LOSSES = {
  admonition_as_text:
    'An MkDocs admonition (!!! note) is not supported and is shown as written. Write > [!NOTE] for an alert.',
  attributes_removed: 'An attribute list ({: … }) is not supported and is left out.',
  block_id_removed:
    'A word like ^this at the end of a block is an Obsidian block id and is left out. To show it, write \\^.',
  comment_removed: 'Text between %% and %% is an Obsidian comment and is left out. To show it, write \\%%.',
  container_as_text: 'A container (::: name) is not supported; its contents are shown without it.',
  contents_removed:
    'A placeholder for a table of contents ([TOC]) is left out. To show one above the text, set generate_toc: true.',
  diagram_as_code:
    'A diagram (mermaid, plantuml) is shown as source code, because pages run no scripts. To show the diagram, add a picture of it.',
  shortcode_removed:
    'A shortcode ({{< … >}}) or a widget (%%[…]) is not supported and is left out; text between two shortcodes is shown.',
  template_as_text: 'A template tag ({% … %}) is not supported and is shown as written.',
  template_link_as_text:
    'A link or image with a template address ({% post_url … %}, {{< ref … >}}) does not work here, so only its text is shown. Write the full address.',
  wiki_link_as_text:
    'A wiki link ([[…]]) works only inside its vault, so its text is shown without a link. Write [text](address) for a link.',
};
export type Loss = keyof typeof LOSSES;

const losses = new WeakMap<Root, Notice[]>();

export function rememberLosses(tree: Root, pieces: readonly { start: number; loss?: Loss }[], body: string): void {
  const first = new Map<Loss, Notice>();
  for (const { start, loss } of pieces.toSorted((a, b) => a.start - b.start)) {
    if (loss === undefined || first.has(loss)) continue;
    const line = body.slice(0, start).split('\n').length;
    first.set(loss, { code: loss, message: LOSSES[loss], path: 'content', line });
  }
  if (first.size > 0) losses.set(tree, [...first.values()]);
}

export function listLosses(tree: Root, bodyLine: number): Notice[] {
  return (losses.get(tree) ?? []).map((notice) => ({ ...notice, line: (notice.line ?? 1) + bodyLine - 1 }));
}
