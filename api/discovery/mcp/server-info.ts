/** Name and address of the MCP server, also for the documents that announce it. */

export const MCP_PATH = '/mcp';
export const MCP_SERVER = { name: 'courant', title: 'Courant', version: '1.0.0' } as const;

export function buildMcpUrl(baseUrl: string): string {
  return `${baseUrl}${MCP_PATH}`;
}
