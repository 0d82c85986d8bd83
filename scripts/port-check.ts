import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { StartFailure } from "./start-failure.ts";

/** `localhost` may resolve to either: another process on one of them would answer instead of ours. */
const LOOPBACK_ADDRESSES = ["127.0.0.1", "::1"];

const POLL_MS = 50;

/**
 * @param waitMs Milliseconds to wait for the port to become free.
 * @throws {StartFailure} when the port is in use.
 */
export async function requireFreePort(port: number, waitMs = 0): Promise<void> {
  const untilMs = Date.now() + waitMs;
  for (const address of LOOPBACK_ADDRESSES) {
    while (await isTaken(port, address)) {
      if (Date.now() >= untilMs) {
        throw new StartFailure(
          `Port ${port} is in use: stop what listens there, or choose another one: PORT=${port < 65_535 ? port + 1 : 8787} npm start`,
        );
      }
      await sleep(POLL_MS);
    }
  }
}

function isTaken(port: number, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(true);
      else if (error.code === "EACCES") {
        reject(
          new StartFailure(
            `Port ${port} needs more rights than this user has: PORT=8787 npm start`,
          ),
        );
      } else resolve(false); // The machine has no such address.
    });
    probe.listen({ port, host: address, exclusive: true }, () => {
      probe.close(() => resolve(false));
    });
  });
}
