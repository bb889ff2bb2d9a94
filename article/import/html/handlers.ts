/** Elements that Markdown has marks for in our dialect, or no marks at all: those stay HTML, which readers here and elsewhere show. */
import type { Element } from 'hast';
import type { Html, PhrasingContent } from 'mdast';
import type { Options } from 'rehype-remark';
import { writeTable } from '../../render/write-table.ts';

type Handlers = NonNullable<Options['handlers']>;
type State = Parameters<NonNullable<Handlers[string]>>[0];

/** Without them the text would say something else: x², H₂O, Ctrl. */
const KEPT = ['sub', 'sup', 'kbd', 'mark', 'ins'] as const;

export const HANDLERS: Handlers = {
  ...Object.fromEntries(KEPT.map((name) => [name, (state: State, node: Element) => keepTags(state, node, name)])),
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

function keepTags(state: State, node: Element, name: string): (Html | PhrasingContent)[] {
  const children = state.all(node) as PhrasingContent[];
  if (children.length === 0) return [];
  return [{ type: 'html', value: `<${name}>` }, ...children, { type: 'html', value: `</${name}>` }];
}

function readName({ properties }: Element): string {
  return String(properties.dataFootnote ?? '');
}
