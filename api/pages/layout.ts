/** The frame of every page: one small style sheet and no script of its own, for wide and narrow screens, light and dark. */
import { codeColours } from '../../article/render/code-colours.ts';
import { type Html, html, trustHtml } from './html.ts';

export interface PageHead {
  title: string;
  description?: string | null;
  /** Link and meta elements of this page. */
  head?: Html;
}

export function renderPage({ title, description, head }: PageHead, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${description ? html`<meta name="description" content="${description}">` : null}
${head}
<style>${trustHtml(STYLE + codeColours)}</style>
</head>
<body>
<header class="site"><a href="/">Courant</a> <a class="agents" href="/llms.txt" type="text/markdown">llms.txt</a></header>
<main>${body}</main>
</body>
</html>
`.text;
}

const STYLE = `
:root{--text:#1c1c1a;--soft:#62625c;--paper:#fdfdfb;--line:#e2e2db;--accent:#1a5fb4;--code:#f3f3ee;--mark:#fff1a8}
@media (prefers-color-scheme:dark){:root{--text:#e8e6e1;--soft:#a19f98;--paper:#171716;--line:#33332f;--accent:#8ab8f0;--code:#22221f;--mark:#5a4a00}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--text);font:1.0625rem/1.65 system-ui,-apple-system,"Segoe UI",sans-serif}
a{color:var(--accent);text-underline-offset:.15em}
.site{padding:1rem 1.25rem;border-bottom:1px solid var(--line)}
.site a{color:inherit;font-weight:650;text-decoration:none}.site .agents{float:inline-end;color:var(--soft);font-weight:400;font-size:.9rem}
main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem 5rem;overflow-wrap:break-word}
h1,h2,h3,h4{line-height:1.25;margin:2.2em 0 .6em}
h4,h5,h6{font-size:1.0625rem}h5,h6{margin:1.8em 0 .5em;line-height:1.3}h6{color:var(--soft)}
h1{font-size:clamp(1.7rem,5vw,2.4rem);margin:0 0 .4em}
.subtitle{font-size:1.2rem;color:var(--soft);margin:0 0 1rem}
.byline,.tags{color:var(--soft);font-size:.95rem;margin:0 0 1.5rem}
.tags{display:flex;flex-wrap:wrap;gap:.35rem .75rem;padding:0;list-style:none}
.cover,article img{max-width:100%;height:auto;border-radius:.4rem}
.cover{display:block;width:100%;margin:0 0 2rem}
pre{direction:ltr;text-align:left;background:var(--code);padding:1rem;border-radius:.4rem;overflow-x:auto;font-size:.9rem;line-height:1.5}
code{background:var(--code);padding:.1em .3em;border-radius:.25em;font-size:.92em}
pre code{background:none;padding:0;font-size:inherit}
blockquote{margin:1.5em 0;padding-inline-start:1rem;border-inline-start:3px solid var(--line);color:var(--soft)}
.alert-note,.alert-tip,.alert-important,.alert-warning,.alert-caution{color:inherit}
.alert-note{border-color:#0969da}.alert-tip{border-color:#1a7f37}.alert-important{border-color:#8250df}
.alert-warning{border-color:#9a6700}.alert-caution{border-color:#cf222e}
blockquote>:first-child,details>:last-child,figure>:first-child{margin-top:0}blockquote>:last-child,details>:last-child{margin-bottom:0}
figure{margin:1.75em 0}figure>pre,figure>img{margin:0}
figcaption,caption{color:var(--soft);font-size:.9rem;margin-top:.5em}caption{caption-side:bottom;text-align:start}
kbd{font:.85em/1.4 ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--code);border:1px solid var(--line);border-bottom-width:2px;border-radius:.3em;padding:.1em .4em;white-space:nowrap}
kbd kbd{border:0;padding:0;background:none}
mark{background:var(--mark);color:inherit;padding:0 .15em;border-radius:.2em}
details{border:1px solid var(--line);border-radius:.4rem;padding:.7rem 1rem;margin:1.25em 0}
summary{cursor:pointer;font-weight:600}details[open]>summary{margin-bottom:.7rem}
dl{margin:1.25em 0}dt{font-weight:600;margin-top:.9em}dd{margin:.2em 0 0;margin-inline-start:1.4rem}
sup,sub{line-height:0}[data-footnote-ref]{padding:0 .15em;text-decoration:none}
.footnotes{margin-top:3em;padding-top:1em;border-top:1px solid var(--line);font-size:.92rem;color:var(--soft)}
.footnotes ol{padding-inline-start:1.4rem}.footnotes li:target,[data-footnote-ref]:target{background:var(--code);border-radius:.25em}
[data-footnote-backref]{text-decoration:none;font-family:system-ui,sans-serif}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
math[display=block]{overflow-x:auto;margin:1.5em 0}
table{border-collapse:collapse;display:block;width:max-content;max-width:100%;overflow-x:auto;margin:1.5em 0;overflow-wrap:normal}
th,td{border:1px solid var(--line);padding:.4rem .7rem;min-width:5rem;max-width:24rem;overflow-wrap:break-word}th{background:var(--code)}th:not([align]){text-align:start}
hr{border:0;border-top:1px solid var(--line);margin:2.5em 0}
.toc{border:1px solid var(--line);border-radius:.4rem;padding:.8rem 1.2rem;margin:0 0 2rem}
.toc ol{margin:.3rem 0;padding-left:1.2rem}
.list{list-style:none;padding:0}.list li{margin:0 0 1.6rem}.list a{font-size:1.2rem;font-weight:600}
.list p{margin:.2rem 0;color:var(--soft)}.list p a,.tags a{font:inherit;color:inherit}.list .tags{margin:0}.list .tags li{margin:0}
.action{font:inherit;font-weight:600;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:var(--accent);color:var(--paper);cursor:pointer}
.mail{width:100%;height:44rem;border:1px solid var(--line);border-radius:.4rem}
li.task-list-item{list-style:none;margin-inline-start:-1.2rem}.toc .sub{margin-left:1.2rem}
`;
