/**
 * Entry point of the script of public pages. Those pages are the same for all readers; this script
 * adds the parts for the signed-in reader.
 */
import { addAnchors } from './site/anchors.ts';
import { addCodeCopyButtons } from './site/code.ts';
import { followContents } from './site/contents.ts';
import { previewFootnotes } from './site/footnotes.ts';
import { reportPageViews } from './site/report-page-views.ts';
import { makeScrollersFocusable } from './site/scrollers.ts';
import { sendInteractionsInPlace } from './site/send-interactions.ts';
import { addShareButtons } from './site/share.ts';
import { showViewer } from './site/viewer.ts';

void showViewer();
void sendInteractionsInPlace();
followContents();
addCodeCopyButtons();
addShareButtons();
addAnchors();
previewFootnotes();
reportPageViews();
makeScrollersFocusable();
