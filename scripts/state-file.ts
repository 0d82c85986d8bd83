import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

import { StartFailure } from "./start-failure.ts";

/** @returns the file's JSON, or undefined when there is no such file. */
export function readState<Value>(path: string): Value | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw new StartFailure(`${path} is not JSON: remove it (a new one is made) and start again`);
  }
}

/** Readable by its owner only; replaced atomically, so that a kill leaves the old or the new file. */
export function writeState(path: string, value: object): void {
  renameSync(writeDraft(path, value), path);
}

/** Creates the file unless it exists; of two concurrent calls one wins. @returns the file's content. */
export function createState<Value extends object>(path: string, value: Value): Value {
  const draft = writeDraft(path, value);
  try {
    linkSync(draft, path);
  } catch {
    // The file of the other process stays.
  } finally {
    rmSync(draft);
  }
  return readState<Value>(path) ?? value;
}

function writeDraft(path: string, value: object): string {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  return draft;
}
