import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoreError, createFileStore } from '../../../adapters/store/index.ts';
import type { SessionStore } from '../../../adapters/ports.ts';
import { derive, recordVersion, type StoredSession } from '../../../machines/index.ts';
import { listing, record, session, tempHome, textOf } from './support.ts';

const json = fc.oneof(
  fc.json(),
  fc.jsonValue().map((value) => JSON.stringify(value)),
);
/** Bytes that are near a real file: cut, doubled, with single bytes changed, with odd fields. */
const near = (text: string) =>
  fc
    .record({ from: fc.nat(text.length), byte: fc.nat(255), how: fc.constantFrom('cut', 'change', 'double') })
    .map(({ from, byte, how }) => {
      const bytes = Buffer.from(text);
      if (how === 'cut') return bytes.subarray(0, from);
      if (how === 'double') return Buffer.concat([bytes, bytes.subarray(from)]);
      bytes[Math.min(from, bytes.length - 1)] = byte;
      return bytes;
    });
const odd = (fields: readonly string[]) =>
  fc
    .dictionary(fc.constantFrom(...fields), fc.jsonValue())
    .map((given) => Buffer.from(JSON.stringify(given)));
const bytesLike = (text: string, fields: readonly string[]) =>
  fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    json.map((value) => Buffer.from(value)),
    near(text),
    odd(fields),
  );

const sidecars = bytesLike('{"status":"Active","tasks":[{"title":"a"}]}', [
  'status',
  'tasks',
  'track',
  'seed',
]);
const records = bytesLike(textOf(record(session, { project: 'demo' })), [
  'v',
  'id',
  'project',
  'lease',
  'queue',
]);
const documents = bytesLike('# Plan\n\n## Context\n', ['a']);
const maybe = (bytes: fc.Arbitrary<Buffer>) => fc.option(bytes, { nil: null });

const files = fc.record({
  record: fc.oneof(records, fc.constant(Buffer.from(textOf(record())))),
  sidecar: maybe(sidecars),
  document: maybe(documents),
  legacy: maybe(sidecars),
  legacyDocument: maybe(documents),
  marker: maybe(bytesLike('ab'.repeat(32), ['a'])),
  project: maybe(sidecars),
});

describe('any bytes on disk', () => {
  it('never crash a view or a list, never change, and no sidecar counts as absent', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const home = tempHome();
        const put = (folder: string, name: string, bytes: Buffer | null) => {
          mkdirSync(join(home, folder), { recursive: true });
          if (bytes !== null) writeFileSync(join(home, folder, name), bytes);
        };
        const stem = `.opencrabs_plan_${session}`;
        put(`planchart/sessions/${session}`, 'session.json', given.record);
        put('session', `${stem}.json`, given.sidecar);
        put('session', `${stem}.md`, given.document);
        put('session', `${stem}.hidden`, given.marker);
        put('agents/session', `${stem}.json`, given.legacy);
        put('agents/session', `${stem}.md`, given.legacyDocument);
        put('projects/demo/session', `${stem}.json`, given.project);
        const before = listing(home);
        const store = createFileStore({ home });
        const { dir } = store.paths(session);
        expect([join(home, 'session'), join(home, 'projects/demo/session')]).toContain(dir);
        await store.list();
        expect(await lies(store, given)).toEqual([]);
        expect(listing(home)).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });
});

interface Given {
  record: Buffer;
  sidecar: Buffer | null;
  legacy: Buffer | null;
  project: Buffer | null;
}

/** What a view said that the files do not, in words. */
async function lies(store: SessionStore, given: Given): Promise<string[]> {
  const found = await store.read(session).catch((error: unknown) => error);
  if (found instanceof StoreError && found.code === 'RECORD_NEWER') {
    const { v } = JSON.parse(given.record.toString('utf8')) as { v: number };
    return v > recordVersion ? [] : [`${v} is not newer`];
  }
  if (!isStored(found)) return [String(found)];
  const wanted = (found.record.project === 'demo' ? given.project : given.sidecar) ?? given.legacy;
  const { sidecar } = found;
  const told: string[] = [];
  if (wanted !== null && sidecar.kind === 'absent') told.push('a file counts as absent');
  if (wanted === null && sidecar.kind !== 'absent') told.push('an absent file counts as one');
  if (sidecar.kind === 'text' && wanted?.equals(Buffer.from(sidecar.text)) !== true) told.push('other bytes');
  const denied = derive(found).snapshot.matches({ plan: 'unreadable' });
  if (sidecar.kind === 'unreadable' && !denied) told.push('an unreadable file is no unreadable plan');
  return told;
}

const isStored = (found: unknown): found is StoredSession =>
  typeof found === 'object' && found !== null && 'sidecar' in found;
