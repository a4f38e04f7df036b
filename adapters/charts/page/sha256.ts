/**
 * sha-256 in hex, as the store gives it for a file's text. The browser's own one answers later, and a page that works
 * from a file has to decide at once. FIPS 180-4.
 */
export function sha256(text: string): string {
  const state = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
  const words = new Uint32Array(64);
  const bytes = padded(new TextEncoder().encode(text));
  for (let offset = 0; offset < bytes.byteLength; offset += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = bytes.getUint32(offset + index * 4);
    compress(state, words);
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

const primes = Array.from({ length: 312 }, (_, index) => index)
  .filter(
    (number) =>
      number > 1 && !Array.from({ length: number }, (_, i) => i).some((i) => i > 1 && number % i === 0),
  )
  .slice(0, 64);
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);
const constants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));

function padded(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const block = new Uint8Array(length);
  block.set(bytes);
  block[bytes.length] = 0x80;
  const view = new DataView(block.buffer);
  view.setUint32(length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(length - 4, (bytes.length * 8) >>> 0);
  return view;
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(state: Uint32Array, words: Uint32Array): void {
  const word = (index: number): number => words[index] ?? 0;
  for (let index = 16; index < 64; index += 1) {
    const [near, far] = [word(index - 2), word(index - 15)];
    const small = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    words[index] =
      word(index - 16) + small + word(index - 7) + (turned(near, 17) ^ turned(near, 19) ^ (near >>> 10));
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const mixed = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + mixed + (constants[index] ?? 0) + word(index)) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = (state[index] ?? 0) + value;
  });
}
