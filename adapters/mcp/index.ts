export { createMcpTools } from './mcp-tools.ts';
