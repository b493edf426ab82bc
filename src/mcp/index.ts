export { mcpRoutes } from './http-route.ts'

/** The MCP server on stdin and stdout. Loads the MCP package. */
export const loadStdio = () => import('./stdio.ts')
