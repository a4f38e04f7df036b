import { GrammyError, HttpError } from 'grammy';

/** Why a call failed, as far as it matters what to do next. */
export type Fault =
  | { kind: 'flood'; seconds: number }
  | { kind: 'unchanged' }
  | { kind: 'unparsable' }
  | { kind: 'tooLong' }
  | { kind: 'gone'; what: 'message' | 'place'; text: string }
  | { kind: 'moved'; chat: number }
  /**
   * `service`: it has answered, with an error of its own. `unreached`: there was no connection, so nothing was done. `line`:
   * nobody knows whether it was done.
   */
  | { kind: 'network'; text: string; from: 'line' | 'service' | 'unreached' }
  | { kind: 'refused'; status: number; text: string };

/** For a 429 that names no time. */
const unnamedWait = 30;

const texts: readonly [RegExp, Fault['kind'] | 'message' | 'place'][] = [
  [/message is not modified/iu, 'unchanged'],
  [/can't parse entities|can't find end/iu, 'unparsable'],
  [/(?:message|caption) is too long|MESSAGE_TOO_LONG/iu, 'tooLong'],
  [
    /message to (?:edit|delete) not found|message can't be (?:edited|deleted)|MESSAGE_ID_INVALID/iu,
    'message',
  ],
  [/message thread not found|TOPIC_(?:CLOSED|DELETED)|chat not found|PEER_ID_INVALID/iu, 'place'],
  [/no rights to send|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED|bot was kicked|user is deactivated/iu, 'place'],
];

const noConnection = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'];

const isUnreached = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && noConnection.includes(String(error.code));

function refusal({ error_code: status, description: text, parameters }: GrammyError): Fault {
  const { retry_after: seconds, migrate_to_chat_id: chat } = parameters;
  if (status === 429) return { kind: 'flood', seconds: seconds ?? unnamedWait };
  if (chat !== undefined) return { kind: 'moved', chat };
  if (status >= 500) return { kind: 'network', text, from: 'service' };
  const kind = status === 403 ? 'place' : texts.find(([pattern]) => pattern.test(text))?.[1];
  if (kind === 'message' || kind === 'place') return { kind: 'gone', what: kind, text };
  if (kind === 'unchanged' || kind === 'unparsable' || kind === 'tooLong') return { kind };
  return { kind: 'refused', status, text };
}

/** Sorts what a call threw. Texts hold no token. */
export function faultOf(error: unknown): Fault {
  if (error instanceof GrammyError) return refusal(error);
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof HttpError)
    return { kind: 'network', text, from: isUnreached(error.error) ? 'unreached' : 'line' };
  return { kind: 'refused', status: 0, text };
}

/** A fault in words for the owner; undefined for what is no failure of a delivery: it is mended, or a person did it. */
export function failureText(fault: Fault): string | undefined {
  switch (fault.kind) {
    case 'flood':
      return `Telegram asks to wait ${fault.seconds} s`;
    case 'network':
      return fault.text;
    case 'refused':
      return `Telegram refused: ${fault.status} ${fault.text}`;
    case 'gone':
      return fault.what === 'place' ? fault.text : undefined;
    case 'unchanged':
    case 'unparsable':
    case 'tooLong':
    case 'moved':
      return undefined;
  }
}
