import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

// A real MCP server for the tests. Its arguments: a file for what it did, and how it behaves.
const [log = '', mode = 'works'] = process.argv.slice(2);
const did = (what: string): void => appendFileSync(log, `${what}\n`);

did(`started ${process.pid}`);
if (mode === 'fails') {
  process.stderr.write('no database at db.test\n');
  process.exit(3);
}
if (mode === 'stubborn') {
  process.on('SIGTERM', () => did('TERM ignored'));
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  did(`child ${child.pid}`);
  setInterval(() => undefined, 1000);
}
if (mode === 'babbles') process.stdout.write('Server ready!\n{"half": \n');
if (mode !== 'silent') await serve();
else process.stdin.resume();

async function serve(): Promise<void> {
  const server = new McpServer({ name: 'fixture', version: '1.0.0' });
  const answers = (name: string, annotations?: Record<string, boolean>): void => {
    const config = {
      description: `The ${name} tool.`,
      inputSchema: z.object({ key: z.string().optional() }),
    };
    server.registerTool(name, annotations === undefined ? config : { ...config, annotations }, ({ key }) => {
      did(`${name} ${key ?? ''}`.trim());
      return { content: [{ type: 'text', text: `${name} answers ${key ?? 'nothing'}` }] };
    });
  };
  answers('inspect', { readOnlyHint: true });
  answers('wipe', { destructiveHint: true });
  answers('lookup');
  answers('shady', { readOnlyHint: true, destructiveHint: true });
  answers('changes', { readOnlyHint: false });
  if (mode === 'twins') {
    answers('a.b');
    answers('a b');
  }
  server.registerTool('env', { description: 'Its environment.', inputSchema: z.object({}) }, () => ({
    content: [{ type: 'text', text: JSON.stringify({ ...process.env, cwd: process.cwd() }) }],
  }));
  server.registerTool(
    'noisy',
    { description: 'Loud \u001b[31mred\u001b[0m.', inputSchema: z.object({}) },
    () => ({
      content: [
        { type: 'text', text: '\u001b[2J\u202ecleared' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'text', text: 'x'.repeat(100_000) },
      ],
    }),
  );
  server.registerTool('breaks', { description: 'Fails.', inputSchema: z.object({}) }, () => {
    throw new Error('disk is full');
  });
  server.registerTool('dies', { description: 'Ends the server.', inputSchema: z.object({}) }, () => {
    process.stderr.write('out of memory\n');
    process.exit(7);
  });
  server.registerTool('slow', { description: 'Never answers.', inputSchema: z.object({}) }, (_, context) => {
    did('slow began');
    return new Promise((_resolve, reject) => {
      context.mcpReq.signal.addEventListener('abort', () => {
        did('slow cancelled');
        reject(new Error('cancelled'));
      });
    });
  });
  await server.connect(new StdioServerTransport());
}
