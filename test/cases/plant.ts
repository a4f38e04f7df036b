import { mkdirSync, writeFileSync } from 'node:fs';
import { type Harness, until } from '../support/harness.ts';

/** Plan files as another program leaves them: no lock taken, nothing told. Waits until the session shows them. */
export async function plantPlan(
  h: Harness,
  sidecar: Readonly<Record<string, unknown>> | string,
  document: string | null,
): Promise<void> {
  const { dir, sidecar: json, document: md } = h.session.paths;
  mkdirSync(dir, { recursive: true });
  if (document !== null) writeFileSync(md, document);
  writeFileSync(json, typeof sidecar === 'string' ? sidecar : JSON.stringify(sidecar));
  await until('the planted plan shows', () => h.session.view().phase !== 'noPlan');
}
