/** The script of every page of the desk. Each page works without it. */
import { followArticles } from './desk/articles.ts';
import { countNotifications } from './desk/badge.ts';
import { followLiveParts } from './desk/live-parts.ts';

countNotifications();
followArticles();
followLiveParts();
