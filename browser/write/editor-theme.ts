/**
 * Theme of the editor. Uses the custom properties of the desk, which also apply in the shadow tree,
 * so it follows the light and dark schemes.
 */
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const editorTheme = EditorView.theme({
  '&': { height: 'clamp(20rem, 62vh, 48rem)', background: 'var(--paper)', color: 'var(--text)', fontSize: '0.9375rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { padding: '0.6rem 0', caretColor: 'var(--text)' },
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

export const editorHighlighting = HighlightStyle.define([
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
