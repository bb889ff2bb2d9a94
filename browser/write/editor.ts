/**
 * The editor, in the place of the page's text field. It stands in a shadow tree: there its style sheets are adopted, which a policy without inline
 * styles allows. Tab is not bound: it moves on, as everywhere.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown';
import { yamlFrontmatter } from '@codemirror/lang-yaml';
import { syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { colours, look } from './editor-look.ts';
import type { WritePage } from './page.ts';

/** Counted from 1, as authors count. */
export interface Mark {
  line: number;
  column: number;
  kind: 'error' | 'warning' | 'loss';
  message: string;
}

export interface Editor {
  getText(): string;
  setText(text: string): void;
  onChange(listener: () => void): void;
  showMarks(marks: readonly Mark[]): void;
  goTo(place: Pick<Mark, 'line' | 'column'>): void;
}

export function createEditor({ frame, textarea }: Pick<WritePage, 'frame' | 'textarea'>): Editor {
  const listeners = new Set<() => void>();
  const root = frame.attachShadow({ mode: 'open' });
  const create = (doc: string) =>
    EditorState.create({
      doc,
      extensions: [
        ...[
          history(),
          drawSelection(),
          lineNumbers(),
          lintGutter(),
          search({ top: true }),
          look,
          EditorView.lineWrapping,
        ],
        // Without the languages of embedded HTML, which would be half of the bundle.
        yamlFrontmatter({ content: markdownLanguage }),
        syntaxHighlighting(colours),
        keymap.of([...markdownKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
        placeholder(textarea.placeholder),
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({ 'aria-label': LABEL, spellcheck: 'true', autocapitalize: 'sentences' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) for (const listener of listeners) listener();
        }),
      ],
    });
  const view = new EditorView({ root, parent: root, state: create(textarea.value) });
  frame.hidden = false;
  frame.className = 'write-editor';
  textarea.hidden = true;
  // The label belongs to the field, which is not to be seen any more.
  document
    .querySelector<HTMLLabelElement>(`label[for="${textarea.id}"]`)
    ?.addEventListener('click', () => view.focus());
  return {
    getText: () => view.state.doc.toString(),
    // Undone it can be: what it replaces was somebody's work.
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    onChange: (listener) => listeners.add(listener),
    showMarks(marks) {
      const found = marks.map((mark) => toDiagnostic(view.state.doc, mark)).sort((a, b) => a.from - b.from);
      view.dispatch(setDiagnostics(view.state, found));
    },
    goTo(place) {
      const { from } = find(view.state.doc, place);
      view.focus();
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    },
  };
}

const LABEL = 'Markdown, with its frontmatter. Tab moves on.';
const SEVERITIES = { error: 'error', warning: 'warning', loss: 'info' } as const;

function toDiagnostic(text: Text, mark: Mark): Diagnostic {
  return { ...find(text, mark), severity: SEVERITIES[mark.kind], message: mark.message };
}

/** From the place to the end of its line; the text may be another one by now. */
function find(text: Text, { line, column }: Pick<Mark, 'line' | 'column'>): { from: number; to: number } {
  const { from, to } = text.line(Math.min(Math.max(1, line), text.lines));
  const start = Math.min(from + Math.max(0, column - 1), to);
  return { from: start, to };
}
