/** What a command wrote, in order, with the middle left out where it is longer than the limit. */
export interface Output {
  push(chunk: Uint8Array): void;
  text(): string;
  cut(): boolean;
}

/** Keeps half of `limitBytes` from the beginning and half from the end: the command's start and its result. */
export function boundedOutput(limitBytes: number): Output {
  const half = Math.floor(limitBytes / 2);
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let left = 0;
  return {
    push(chunk) {
      const room = half - head.length;
      if (room > 0) head = Buffer.concat([head, chunk.subarray(0, room)]);
      const joined = Buffer.concat([tail, chunk.subarray(Math.max(room, 0))]);
      tail = joined.subarray(-half);
      left += joined.length - tail.length;
    },
    text() {
      if (left === 0) return decode(Buffer.concat([head, tail]));
      return `${decode(withoutTornEnd(head))}\n[… ${left} bytes left out …]\n${decode(withoutTornStart(tail))}`;
    },
    cut: () => left > 0,
  };
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function withoutTornStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

/** Drops the first bytes of a character whose rest lies in the part that was left out. */
function withoutTornEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--;
  const first = bytes[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead >= 0 && lead + length > bytes.length ? bytes.subarray(0, lead) : bytes;
}
