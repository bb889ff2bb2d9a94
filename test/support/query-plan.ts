/** What PostgreSQL really read for a query: EXPLAIN (ANALYZE), table by table. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../store/db/database.ts';

export interface PlanNode {
  /** As `Index Scan`. */
  kind: string;
  relation: string | null;
  index: string | null;
  /** Rows read in all loops, those that a filter threw away included. */
  rowsRead: number;
}

interface RawNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: RawNode[];
}

export async function explainQuery(db: Database, query: RawBuilder<unknown>): Promise<PlanNode[]> {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: RawNode }[] }>`explain (analyze, format json) ${query}`.execute(
    db.withoutPlugins(),
  );
  const root = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!root) throw new Error('EXPLAIN answered no plan');
  return flatten(root);
}

function flatten(node: RawNode): PlanNode[] {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = {
    kind: node['Node Type'],
    relation: node['Relation Name'] ?? null,
    index: node['Index Name'] ?? null,
    rowsRead: Math.round((node['Actual Rows'] + removed) * node['Actual Loops']),
  };
  return [own, ...(node.Plans ?? []).flatMap(flatten)];
}
