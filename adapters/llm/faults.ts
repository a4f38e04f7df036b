import type { ModelFault, ModelFaultCode } from '../ports.ts';
import type { Failure } from './failure.ts';
import { oneLine, providerWords } from './words.ts';

/** Whom was asked, for the texts; `secrets` are replaced in every one of them. */
export interface Asked {
  model: string;
  /** Host and port of the base URL, without credentials. */
  host: string;
  key: 'set' | 'none';
  /** The protocol in words, e.g. "OpenAI chat completions". */
  speaks: string;
  secrets: readonly string[];
}

/** How far the last of `tries` requests came: `begun` once a part of the answer had arrived. */
export interface Progress {
  tries: number;
  answer: 'none' | 'begun';
  /** The wait that the provider asked for, in ms, when it was too long to sit out. */
  tooLongMs: number | null;
}

const overflow =
  /context_length|context_window|exceed_context|context[ _-](length|window|size|limit|overflow)|(prompt|input|request) (is )?too (long|large)|too many (input )?tokens|reduce the length/i;
const unknownModel =
  /model_not_found|\bmodels?\b.{0,80}(not found|not exist|not a valid model)|not a valid model|(unknown|no such) model|invalid model (id|name)/i;
const refusedKey = /invalid_api_key|(invalid|incorrect) api.?key|api.?key not valid/i;

/** Which fault it is when nothing of the answer had arrived. The provider's own code counts before the status. */
export function faultCode(failure: Failure): ModelFaultCode {
  if (failure.kind === 'network' || failure.kind === 'redirect') return 'MODEL_UNREACHABLE';
  if (failure.kind === 'unreadable') return 'MODEL_STREAM';
  if (failure.kind === 'other') return 'MODEL_FAILED';
  const { status } = failure;
  const said = `${failure.code} ${failure.words}`;
  if (status === 429) return 'MODEL_BUSY';
  if (status === 404 || unknownModel.test(said)) return 'MODEL_UNKNOWN';
  if (status === 401 || status === 403 || refusedKey.test(said)) return 'MODEL_KEY';
  if (status === 413 || overflow.test(said)) return 'MODEL_CONTEXT';
  return status !== null && status >= 500 ? 'MODEL_BUSY' : 'MODEL_FAILED';
}

/** One clear line: what failed, on what model and host, what to do next. Never a key (D54). */
export function faultOf(failure: Failure, asked: Asked, progress: Progress): ModelFault {
  const broke = progress.answer === 'begun' && failure.kind !== 'other';
  const code = broke ? 'MODEL_STREAM' : faultCode(failure);
  return { code, message: oneLine(text(code, failure, asked, progress), asked.secrets) };
}

/** What went wrong in a few words, for the retry line. */
export function causeOf(failure: Failure, asked: Asked): string {
  return oneLine(`${asked.host} ${happened(failure)}${quoted(failure, asked)}`, asked.secrets);
}

function text(code: ModelFaultCode, failure: Failure, asked: Asked, progress: Progress): string {
  const { host } = asked;
  const model = `model "${asked.model}"`;
  const words = quoted(failure, asked);
  const again = retried(progress.tries - 1);
  switch (code) {
    case 'MODEL_KEY':
      return asked.key === 'set'
        ? `${host} refused the API key for ${model}. Check the key, then send again.`
        : `${host} wants an API key for ${model} and none is set. Set one, then send again.`;
    case 'MODEL_UNKNOWN':
      return `${host} does not know ${model}. Check the name given to --model, and the path of the base URL.`;
    case 'MODEL_UNREACHABLE':
      return `${host} can't be reached for ${model}: it ${happened(failure)}${again}. Check the base URL and that the server runs, then send again.`;
    case 'MODEL_STREAM':
      return progress.answer === 'begun'
        ? `The answer of ${model} at ${host} broke off: ${broken(failure)}${words}. What is shown is incomplete; send again.`
        : `The answer of ${model} at ${host} can't be read${words}. Check that the base URL speaks ${asked.speaks} with streaming.`;
    case 'MODEL_BUSY':
      return progress.tooLongMs === null
        ? `${host} ${happened(failure)} for ${model}${again}${words}. Wait a little and send again, or choose another with --model.`
        : `${host} asks to wait ${duration(progress.tooLongMs)} for ${model}${words}. Send again then, or choose another with --model.`;
    case 'MODEL_CONTEXT':
      return `The conversation is too long for ${model} at ${host}${words}. Shorten it, or choose a model with a larger window with --model.`;
    case 'MODEL_FAILED':
      return `${host} ${happened(failure)} for ${model}${words}. Send again, or choose another with --model.`;
  }
}

function happened(failure: Failure): string {
  if (failure.kind === 'answer') return failure.status === null ? 'failed' : `answered ${failure.status}`;
  if (failure.kind === 'redirect') return `redirects to ${failure.to}, where nothing is sent`;
  if (failure.kind !== 'network') return 'failed';
  const { code } = failure;
  if (failure.what === 'dropped') return `closed the connection before it answered (${code})`;
  if (failure.what === 'timeout') return `did not answer in time (${code})`;
  if (code === 'ECONNREFUSED') return `refused the connection (${code})`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `was not found (${code})`;
  return `could not be connected to (${code})`;
}

function broken(failure: Failure): string {
  if (failure.kind === 'network') return `the connection was lost (${failure.code})`;
  return failure.kind === 'unreadable' ? 'a piece of it could not be read' : 'the provider reported an error';
}

function quoted(failure: Failure, asked: Asked): string {
  const words = 'words' in failure ? providerWords(failure.words, asked.secrets) : '';
  return words === '' ? '' : ` (${words.replace(/\.$/, '')})`;
}

function retried(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' after 1 retry' : ` after ${count} retries`;
}

function duration(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
