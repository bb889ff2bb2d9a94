/** Converts tables and footnotes to Markdown. Elements that Markdown has no marks for stay HTML. */
import type { Element } from 'hast';
import type { Html, PhrasingContent } from 'mdast';
import type { Options } from 'rehype-remark';
import { writeTable } from '../../render/write-table.ts';

type Handlers = NonNullable<Options['handlers']>;
type State = Parameters<NonNullable<Handlers[string]>>[0];

/** Without these elements the meaning of a text would change: x², H₂O, Ctrl. */
const PRESERVED = ['sub', 'sup', 'kbd', 'mark', 'ins'] as const;

export const HANDLERS: Handlers = {
  ...Object.fromEntries(
    PRESERVED.map((name) => [name, (state: State, node: Element) => preserveTags(state, node, name)]),
  ),
  table: writeTable,
  footnote: (state, node) => ({
    type: 'footnoteDefinition',
    identifier: readName(node),
    label: readName(node),
    children: state.toFlow(state.all(node)),
  }),
  'footnote-reference': (_state, node) => ({
    type: 'footnoteReference',
    identifier: readName(node),
    label: readName(node),
  }),
};

function preserveTags(state: State, node: Element, name: string): (Html | PhrasingContent)[] {
  const children = state.all(node) as PhrasingContent[];
  if (children.length === 0) return [];
  return [{ type: 'html', value: `<${name}>` }, ...children, { type: 'html', value: `</${name}>` }];
}

function readName({ properties }: Element): string {
  return String(properties.dataFootnote ?? '');
}
