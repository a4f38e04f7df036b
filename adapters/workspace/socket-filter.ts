/** Numbers of one processor's system calls, and what the kernel calls the processor. */
interface Calls {
  arch: number;
  socket: number;
  socketpair: number;
}

const calls: Readonly<Record<string, Calls>> = {
  x64: { arch: 0xc000003e, socket: 41, socketpair: 53 },
  arm64: { arch: 0xc00000b7, socket: 198, socketpair: 199 },
};

/** The same number everywhere. */
const ioUringSetup = 425;
/** Where the calls of the x32 way into an x64 kernel begin; they would pass by their other numbers. */
const x32 = 0x40000000;

const unix = 1;
/** Talks to the host of a virtual machine, past the network's own namespace. */
const vsock = 40;
const stream = 1;
const packets = 5;

/** Classic BPF: load a word, mask it, compare and jump, answer. */
const codes = { load: 0x20, mask: 0x54, equal: 0x15, atLeast: 0x35, answer: 0x06 } as const;
/** Offsets in the kernel's `seccomp_data`: number, processor, low halves of the first two arguments. */
const word = { number: 0, arch: 4, first: 16, second: 24 } as const;
/** EACCES is what `socket` answers by its manual where a kind of socket is not permitted. */
const answers = { allow: 0x7fff0000, refuse: 0x00050000 | 13, kill: 0x80000000 } as const;

/** One instruction: its value, and for comparisons the labels to go to; without one it goes on below. */
interface Row {
  label?: string;
  code: keyof typeof codes;
  value: number;
  yes?: string;
  no?: string;
}

/**
 * A system call filter for bubblewrap, as the kernel takes it (8 bytes an instruction), or null for a processor
 * whose numbers are not known here. No mount stops a Unix socket in the user's own folder from being connected to,
 * and its server lies outside the sandbox (D22): so none can be made. Pairs, which programs use among themselves,
 * can, unless they are of the kind that may be pointed at another address later. An io_uring would make sockets
 * past this filter.
 */
export function socketFilter(arch: string): Uint8Array | null {
  const known = calls[arch];
  return known === undefined ? null : assemble(rowsFor(known));
}

const rowsFor = ({ arch, socket, socketpair }: Calls): Row[] => [
  { code: 'load', value: word.arch },
  { code: 'equal', value: arch, no: 'kill' },
  { code: 'load', value: word.number },
  { code: 'atLeast', value: x32, yes: 'refuse' },
  { code: 'equal', value: ioUringSetup, yes: 'refuse' },
  { code: 'equal', value: socket, yes: 'family' },
  { code: 'equal', value: socketpair, no: 'allow' },
  { code: 'load', value: word.second },
  // The rest of the type are flags.
  { code: 'mask', value: 0xf },
  { code: 'equal', value: stream, yes: 'allow' },
  { code: 'equal', value: packets, yes: 'allow', no: 'refuse' },
  { label: 'family', code: 'load', value: word.first },
  { code: 'equal', value: unix, yes: 'refuse' },
  { code: 'equal', value: vsock, yes: 'refuse' },
  { label: 'allow', code: 'answer', value: answers.allow },
  { label: 'refuse', code: 'answer', value: answers.refuse },
  { label: 'kill', code: 'answer', value: answers.kill },
];

/** `struct sock_filter`: code (2 bytes), jump if true, jump if false (1 each), value (4), little-endian. */
function assemble(rows: readonly Row[]): Uint8Array {
  const bytes = Buffer.alloc(rows.length * 8);
  const jump = (from: number, label: string | undefined): number =>
    label === undefined ? 0 : rows.findIndex((row) => row.label === label) - from - 1;
  for (const [at, { code, value, yes, no }] of rows.entries()) {
    bytes.writeUInt16LE(codes[code], at * 8);
    bytes.writeUInt8(jump(at, yes), at * 8 + 2);
    bytes.writeUInt8(jump(at, no), at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}
