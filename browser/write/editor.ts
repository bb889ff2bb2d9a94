/**
 * The Markdown editor, which replaces the text field of the page. It is in a shadow tree and adopts
 * its style sheets there, because the content security policy forbids inline styles. Tab is not
 * bound, so it moves the focus.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown';
import { yamlFrontmatter } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { WritePage } from './page.ts';

/** `line` and `column` start at 1. */
export interface EditorMark {
  line: number;
  column: number;
  kind: 'error' | 'warning' | 'loss';
  message: string;
}

export interface Editor {
  getText(): string;
  setText(text: string): void;
  onChange(listener: () => void): void;
  showMarks(marks: readonly EditorMark[]): void;
  goTo(position: Pick<EditorMark, 'line' | 'column'>): void;
}

export function createEditor({ frame, textarea }: Pick<WritePage, 'frame' | 'textarea'>): Editor {
  const listeners = new Set<() => void>();
  const root = frame.attachShadow({ mode: 'open' });
  const create = (doc: string) =>
    EditorState.create({
      doc,
      extensions: [
        ...[history(), drawSelection(), lineNumbers(), lintGutter(), search({ top: true })],
        ...[THEME, EditorView.lineWrapping],
        // Without the languages of embedded HTML, which would be half of the bundle.
        yamlFrontmatter({ content: markdownLanguage }),
        syntaxHighlighting(HIGHLIGHTING),
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
  // The label refers to the text field, which is hidden now.
  document
    .querySelector<HTMLLabelElement>(`label[for="${textarea.id}"]`)
    ?.addEventListener('click', () => view.focus());
  return {
    getText: () => view.state.doc.toString(),
    // A transaction, so that the author can undo the replacement.
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    onChange: (listener) => listeners.add(listener),
    showMarks(marks) {
      const found = marks.map((mark) => toDiagnostic(view.state.doc, mark)).sort((a, b) => a.from - b.from);
      view.dispatch(setDiagnostics(view.state, found));
    },
    goTo(position) {
      const { from } = locate(view.state.doc, position);
      view.focus();
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    },
  };
}

const LABEL = 'Markdown, with its frontmatter. Press Tab to leave the editor.';
const SEVERITY_BY_KIND = { error: 'error', warning: 'warning', loss: 'info' } as const;

function toDiagnostic(text: Text, mark: EditorMark): Diagnostic {
  return { ...locate(text, mark), severity: SEVERITY_BY_KIND[mark.kind], message: mark.message };
}

/**
 * Returns the range from the position to the end of its line. Clamps it, because the text may have
 * changed since.
 */
function locate(text: Text, { line, column }: Pick<EditorMark, 'line' | 'column'>): { from: number; to: number } {
  const { from, to } = text.line(Math.min(Math.max(1, line), text.lines));
  const start = Math.min(from + Math.max(0, column - 1), to);
  return { from: start, to };
}

/** Uses the custom properties of the desk, so it follows the light and dark schemes. */
const THEME = EditorView.theme({
  '&': { height: 'clamp(20rem, 62vh, 48rem)', background: 'var(--paper)', color: 'var(--text)', fontSize: '0.9375rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { padding: '0.6rem 0' },
  '.cm-line': { padding: '0 0.8rem 0 0.4rem' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--info) 30%, transparent)',
  },
  '.cm-gutters': { background: 'var(--raised)', color: 'var(--soft)', border: 'none' },
  '.cm-placeholder': { color: 'var(--soft)', whiteSpace: 'pre-wrap' },
  '.cm-panels': { background: 'var(--raised)', color: 'var(--text)', fontFamily: 'var(--sans)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-textfield, .cm-button': {
    background: 'var(--paper)',
    color: 'var(--text)',
    border: '1px solid var(--strong-line)',
    borderRadius: '0.25rem',
    minHeight: '1.75rem',
    backgroundImage: 'none',
  },
  '.cm-searchMatch': { background: 'var(--mark)' },
  '.cm-tooltip': {
    background: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--strong-line)',
    borderRadius: '0.25rem',
    maxWidth: 'min(32rem, 80vw)',
    fontFamily: 'var(--sans)',
    fontSize: '0.875rem',
  },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap', padding: '0.3rem 0.7rem' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { background: 'var(--info-paper)' },
});

const HIGHLIGHTING = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--info)' },
  { tag: tags.monospace, color: 'var(--good)' },
  { tag: tags.quote, color: 'var(--soft)' },
  { tag: [tags.processingInstruction, tags.meta, tags.comment], color: 'var(--soft)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.labelName], color: 'var(--accent)' },
  { tag: tags.contentSeparator, color: 'var(--soft)' },
]);
