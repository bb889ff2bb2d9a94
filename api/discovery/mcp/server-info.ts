/** How the MCP server names itself, and where it is: for whoever points agents to it. */

export const MCP_PATH = '/mcp';
export const MCP_SERVER = { name: 'courant', title: 'Courant', version: '1.0.0' } as const;

export function buildMcpUrl(baseUrl: string): string {
  return `${baseUrl}${MCP_PATH}`;
}
