import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { probeSandbox } from '../../../adapters/workspace/sandbox.ts';
import { createWorkspace } from '../../../adapters/workspace/workspace.ts';
import { folder } from './folder.ts';

async function listen(): Promise<number> {
  const server = createServer((_request, response) => response.end('reached'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

// Without bubblewrap there is no sandbox whose network could be open: only listed commands run, and none connects.
const sandbox = await probeSandbox('bwrap', { PATH: process.env['PATH'] ?? '' });

describe('D22 shell.network', () => {
  it.each([
    ['none', 'read-only sandbox, no network', ''],
    ['open', 'read-only sandbox, with network', 'reached'],
  ] as const)('%s', async (network, level, answer) => {
    const env = { PATH: process.env['PATH'] };
    const workspace = createWorkspace({ home: folder(), userHome: folder(), env, secrets: [], network });
    const shell = workspace.shell({ cwd: folder(), turn: 't', visible: () => [], onGroup: () => undefined });
    const command = `exec 3<>/dev/tcp/127.0.0.1/${await listen()}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3; echo x > y`;
    const outcome = await shell.run(command, 'readOnly', 10_000, new AbortController().signal);
    const output = 'output' in outcome ? outcome.output : outcome.text;
    expect(await shell.level('readOnly')).toBe(sandbox.works ? level : 'read-only commands, no sandbox');
    expect(/reached/u.exec(output)?.[0] ?? '').toBe(sandbox.works ? answer : '');
    expect(output).toMatch(sandbox.works ? /Read-only file system/u : /^Nothing was run/u);
  });
});
