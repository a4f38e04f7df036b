/** How a call is answered instead of, or before, its real answer. */
export type Fault =
  /** 429; `retryAfter` in seconds. */
  | { kind: 'flood'; retryAfter: number }
  | { kind: 'error'; status: number; description: string; parameters?: Readonly<Record<string, number>> }
  /** The socket ends before anything is done. */
  | { kind: 'drop' }
  /** It is done, and the socket ends before the answer. */
  | { kind: 'dropAnswer' }
  /** The answer comes late. */
  | { kind: 'slow'; ms: number }
  /** No answer at all, nothing is done. */
  | { kind: 'hang' };

interface Planned {
  method: string;
  fault: Fault;
  chat: number | null;
  left: number;
}

export interface FaultPlan {
  /** The next `times` calls of `method` (`*`: of any but getUpdates), of one chat where it is given. */
  add(method: string, fault: Fault, times: number, chat: number | null): void;
  take(method: string, chat: number | null): Fault | null;
  clear(): void;
}

export function createFaultPlan(): FaultPlan {
  let planned: Planned[] = [];
  return {
    add: (method, fault, times, chat) => planned.push({ method, fault, chat, left: times }),
    take: (method, chat) => {
      const found = planned.find(
        (one) =>
          (one.method === method || (one.method === '*' && method !== 'getUpdates')) &&
          (one.chat === null || one.chat === chat),
      );
      if (found === undefined) return null;
      found.left -= 1;
      if (found.left <= 0) planned = planned.filter((one) => one !== found);
      return found.fault;
    },
    clear: () => {
      planned = [];
    },
  };
}
