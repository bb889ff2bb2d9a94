/** The script of every page of the desk. Each page works without it. */
import { followArticles } from './desk/articles.ts';
import { countNotifications } from './desk/badge.ts';
import { moveByDragging } from './desk/calendar.ts';
import { addCopyButtons } from './desk/copy.ts';
import { followLiveParts } from './desk/live-parts.ts';
import { explainPlots } from './desk/plots.ts';
import { showOwnTimes, tellZone } from './desk/times.ts';
import { offerZone } from './desk/zone.ts';

showOwnTimes();
tellZone();
countNotifications();
followArticles();
followLiveParts();
moveByDragging();
explainPlots();
addCopyButtons();
offerZone();
