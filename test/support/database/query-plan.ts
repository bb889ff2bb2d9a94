/** Returns the plan of a query with the number of rows read per node, from EXPLAIN (ANALYZE). */
import { CompiledQuery, type RawBuilder } from 'kysely';
import type { Database } from '../../../store/db/database.ts';

export interface PlanNode {
  /** The node type, such as `Index Scan`. */
  kind: string;
  relation: string | null;
  index: string | null;
  /** Rows read in all loops, including rows that a filter removed. */
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

export async function readPlan(db: Database, query: RawBuilder<unknown>): Promise<PlanNode[]> {
  // Without plugins, because the plugin would rename the keys of the plan.
  const compiled = query.compile(db);
  const { rows } = await db
    .withoutPlugins()
    .executeQuery<{ 'QUERY PLAN': { Plan: RawNode }[] }>(
      CompiledQuery.raw(`explain (analyze, format json) ${compiled.sql}`, [...compiled.parameters]),
    );
  const root = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!root) throw new Error('EXPLAIN answered no plan');
  return flatten(root);
}

function flatten(node: RawNode): PlanNode[] {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const planNode = {
    kind: node['Node Type'],
    relation: node['Relation Name'] ?? null,
    index: node['Index Name'] ?? null,
    rowsRead: Math.round((node['Actual Rows'] + removed) * node['Actual Loops']),
  };
  return [planNode, ...(node.Plans ?? []).flatMap(flatten)];
}
