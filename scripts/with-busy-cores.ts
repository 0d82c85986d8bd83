// Runs a command under full CPU load: `node scripts/with-busy-cores.ts npm test`.
import { spawn, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";

/** The load processes end when their parent has gone, or after this many milliseconds. */
const MAX_BUSY_MS = 3_600_000;

/** A busy loop for one core. */
const BUSY = `
  const until = Date.now() + ${MAX_BUSY_MS};
  const parent = process.ppid;
  while (Date.now() < until && process.ppid === parent) for (let n = 0; n < 1e6; n += 1);
`;

const [command, ...parameters] = process.argv.slice(2);
if (command === undefined) {
  console.error("Usage: node scripts/with-busy-cores.ts npm test");
  process.exit(2);
}
const busy = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ["-e", BUSY], { stdio: "ignore" }),
);
const child = spawn(command, parameters, { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
process.exitCode = await ended(child);
for (const each of busy) each.kill("SIGKILL");

function ended(process: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    process.once("error", reject);
    process.once("exit", (code) => resolve(code ?? 1));
  });
}
