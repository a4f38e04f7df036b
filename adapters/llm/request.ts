import { jsonSchema, tool } from 'ai';
import type { JSONSchema7, ModelMessage as SdkMessage, ToolSet } from 'ai';
import type { ModelCall, ModelMessage, ModelRequest } from '../ports.ts';
import type { KeptReasoning } from './reasoning.ts';

export interface SdkRequest {
  instructions?: string;
  messages: SdkMessage[];
  tools?: ToolSet;
}

/** The request in the SDK's words. The tools have no `execute`: the machine, not the SDK, decides about calls. */
export function sdkRequest(request: ModelRequest, kept: KeptReasoning): SdkRequest {
  const tools = request.tools.map(({ name, description, parameters }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters as JSONSchema7) }),
  ]);
  return {
    ...(request.system === '' ? {} : { instructions: request.system }),
    messages: request.messages.flatMap((message) => sdkMessages(message, kept)),
    ...(tools.length === 0 ? {} : { tools: Object.fromEntries(tools) as ToolSet }),
  };
}

function sdkMessages(message: ModelMessage, kept: KeptReasoning): SdkMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }];
    case 'assistant': {
      const thoughts = kept.reasoningOf(message.calls).map(({ text, marks }) => ({
        type: 'reasoning' as const,
        text,
        providerOptions: marks,
      }));
      // Blank text says nothing, and one provider refuses it.
      const text = message.text.trim() === '' ? [] : [{ type: 'text' as const, text: message.text }];
      const calls = message.calls.map((call) => ({ ...sdkCall(call), providerOptions: kept.marksOf(call) }));
      const content = [...thoughts, ...text, ...calls];
      // Providers refuse an assistant message with nothing in it, and an empty answer says nothing.
      return content.length === 0 ? [] : [{ role: 'assistant', content }];
    }
    case 'tool': {
      const output = {
        type: message.failed ? ('error-text' as const) : ('text' as const),
        value: message.text,
      };
      const result = {
        type: 'tool-result' as const,
        toolCallId: message.call,
        toolName: message.name,
        output,
      };
      return [{ role: 'tool', content: [result] }];
    }
  }
}

/** Servers that render arguments through a template fail on anything but an object, so raw text is wrapped. */
function sdkCall(call: ModelCall) {
  const { input, invalid } = call;
  const isObject = typeof input === 'object' && input !== null;
  const shown =
    invalid === undefined ? (isObject ? input : { unparsed: input ?? null }) : { unparsed: invalid };
  return { type: 'tool-call' as const, toolCallId: call.id, toolName: call.name, input: shown };
}

/**
 * Some servers count their call ids from one in every answer. Ids name a call in the whole conversation
 * here, so one that was used before gets a number.
 */
export function freshIds(calls: readonly ModelCall[], before: readonly ModelMessage[]): ModelCall[] {
  const used = new Set(
    before.flatMap((message) => (message.role === 'assistant' ? message.calls : [])).map(idOf),
  );
  return calls.map((call) => {
    let id = call.id;
    for (let count = 2; used.has(id); count += 1) id = `${call.id}_${count}`;
    used.add(id);
    return { ...call, id };
  });
}

function idOf(call: ModelCall): string {
  return call.id;
}
