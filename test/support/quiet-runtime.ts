// Keeps back what workerd says when tests make its machines die: some thousand lines. Each text that is kept back
// stands here with its reason; whatever else the runtime says is shown.
import type { Reporter } from "vitest/node";

interface KnownWords {
  /** A message of the runtime's that comes whole in one write. */
  readonly words: RegExp;
  /** The one who makes the runtime say it. */
  readonly because: string;
  /** The most times, where others could make it say the same. */
  readonly most?: number;
}

const KNOWN: readonly KnownWords[] = [
  {
    words: /^uncaught exception; .*broken\.outputGateBroken; jsg\.Error: the machine is gone/,
    because: "test/worker/crash lets objects die with this reason",
  },
  {
    words: /^uncaught exception; .*Error: the machine has stopped/,
    because: "what a machine of test/worker/crash writes after it has stopped",
  },
  {
    words: /^(uncaught )?exception.*Error: Application called (abort|delete)AllDurableObjects\(\)/,
    because: "tests let all objects die, and erase them before the next file",
  },
  {
    words: /^uncaught exception; .*Error: Network connection lost\.\n/,
    because: "test/worker/streams/unread-streams.test.ts is let go, and a webhook is refused",
    most: 24,
  },
  {
    words: /^uncaught exception; .*Error: the client has not read its answer in time/,
    because: "test/worker/mcp/calls-alone.test.ts does not read one",
    most: 3,
  },
  {
    words: /^uncaught exception; .*jsg\.Error: Promise will never complete\./,
    because: "what waits in a file for ever is erased before the next one",
  },
  {
    words: /^NOSENTRY SQLite alarm handler canceled with requestScheduledAlarm\./,
    because: "objects are erased with alarms that are about to come",
  },
  {
    words: /^uncaught exception; .*Error: .*database or disk is full: SQLITE_FULL/,
    because: "test/worker/support/full-disk.ts lets no write through",
  },
  {
    words: /jsg\.Error: the session's log could not be written: Error: away: SQLITE_CONSTRAINT/,
    because: "a trigger of test/worker/sessions/alarms.test.ts lets no decision be written",
  },
  {
    words: /^failed to invoke drain\(\) on IncomingRequest before destroying it;/,
    because: "the alarm of that test breaks its object while it is answered",
    most: 2,
  },
  {
    words: /jsg\.Error: Durable Object was reset and rolled back .* FOREIGN KEY constraint failed/,
    because: "test/worker/recovery/unwritten-start.test.ts writes what the object's tables refuse",
  },
  {
    words: /rust\/worker\/ffi\.rs:\d+: disconnected: Connection refused/,
    because: "a webhook of test/worker/webhooks goes to an address at which nobody listens",
  },
  {
    words: /rust\/worker\/ffi\.rs:\d+: failed: failed to lookup address information/,
    because: "webhooks go to addresses of shop.example",
  },
  {
    words: /^uncaught exception; .*Error: internal error; reference = \w+/,
    because: "what such a look-up is to the Worker that asked for it",
    most: 48,
  },
  {
    words:
      /^exception = .*disconnected: (fixed-length pipe ended prematurely|read end of pipe was aborted)/,
    because: "uploads of test/worker/files/upload.test.ts are longer or shorter than they announce",
    most: 4,
  },
  {
    words: /^Sourcemap for ".*(standardwebhooks|oauth4webapi).*" points to missing source files/,
    because: "the packages are published so",
  },
];

/** A reporter beside the one that prints: it says at the end how much it kept back. */
export class QuietRuntime implements Reporter {
  readonly #keptOf = new Map<KnownWords, number>();
  #kept = 0;

  onInit(): void {
    if (process.env["RUNTIME_NOISE"]) return;
    for (const stream of [process.stdout, process.stderr]) this.#listen(stream);
  }

  onTestRunEnd(): void {
    if (this.#kept === 0) return;
    const what = "known messages of the runtime about what tests do to it were kept back";
    console.log(`\n ${this.#kept} ${what}; RUNTIME_NOISE=1 shows them.`);
  }

  #isKept(text: string): boolean {
    const known = KNOWN.find(({ words }) => words.test(text));
    if (!known) return false;
    const kept = (this.#keptOf.get(known) ?? 0) + 1;
    if (kept > (known.most ?? Infinity)) return false;
    this.#keptOf.set(known, kept);
    this.#kept += 1;
    return true;
  }

  #listen(stream: NodeJS.WriteStream): void {
    const write = stream.write.bind(stream) as (...parameters: unknown[]) => boolean;
    stream.write = (text: unknown, ...more: unknown[]): boolean => {
      if (typeof text !== "string" || !this.#isKept(text)) return write(text, ...more);
      const done = more.find((value) => typeof value === "function") as (() => void) | undefined;
      done?.();
      return true;
    };
  }
}
