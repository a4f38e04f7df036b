import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { badRequest, type Refusal } from './refusal.ts';

/** A call as it came: fields, and uploaded files by the name of their part. */
export interface Sent {
  payload: Record<string, unknown>;
  files: ReadonlyMap<string, { name: string; text: string }>;
}

/** Reads JSON, a form, or a form with files; in forms numbers and objects are strings, which schemas undo. */
export async function readBody(request: IncomingMessage): Promise<Sent> {
  const body = await buffer(request);
  const type = request.headers['content-type'] ?? '';
  const files = new Map<string, { name: string; text: string }>();
  if (body.length === 0) return { payload: {}, files };
  if (type.startsWith('application/json')) {
    return { payload: JSON.parse(body.toString()) as Record<string, unknown>, files };
  }
  if (!type.startsWith('multipart/form-data') && !type.startsWith('application/x-www-form-urlencoded')) {
    throw badRequest('unsupported content type');
  }
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const payload: Record<string, unknown> = {};
  for (const [key, value] of form) {
    if (typeof value === 'string') payload[key] = value;
    else files.set(key, { name: value.name, text: await value.text() });
  }
  return { payload, files };
}

export function answer(response: ServerResponse, result: unknown): void {
  send(response, 200, { ok: true, result });
}

export function refuse(response: ServerResponse, error: Refusal): void {
  const { status, message: description, parameters } = error;
  send(response, status, { ok: false, error_code: status, description, ...(parameters && { parameters }) });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
