/** The script of every page of the desk. Each page works without it. */
import { followArticles } from './desk/articles.ts';
import { countNotifications } from './desk/badge.ts';

countNotifications();
followArticles();
