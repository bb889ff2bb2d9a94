/** The script of every page of the desk. Each page works without it. */
import { followArticles } from './desk/articles.ts';
import { countNotifications } from './desk/badge.ts';
import { addCopyButtons } from './desk/copy.ts';
import { followLiveParts } from './desk/live-parts.ts';
import { offerZone } from './desk/zone.ts';

countNotifications();
followArticles();
followLiveParts();
addCopyButtons();
offerZone();
