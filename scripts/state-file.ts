import {
  accessSync,
  constants,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";

import { StartFailure } from "./start-failure.ts";

/**
 * Makes the folder of the platform's state, unless it is there.
 * @throws {StartFailure} when it is a file, or cannot be written to.
 */
export function openStateFolder(path: string): void {
  const advice = "give REPRISE_STATE the path of a folder that can be written to";
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = isFile(path) ? "is a file" : `cannot be used (${codeOf(error)})`;
    throw new StartFailure(`The state folder ${path} ${reason}: ${advice}`);
  }
}

/**
 * @param lost The end of a sentence: what is lost with the file when a person removes it.
 * @returns the file's JSON, or undefined when there is no such file.
 * @throws {StartFailure} when it is there and is not to be read, or holds no JSON object.
 */
export function readState<Value extends object>(path: string, lost: string): Value | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new StartFailure(`${path} cannot be read (${codeOf(error)}): make it readable for you`);
  }
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw damaged(path, "holds no JSON object", lost);
  }
  return value as Value;
}

/** The failure of a file that holds something else than the platform has written. */
export function damaged(path: string, problem: string, lost: string): StartFailure {
  return new StartFailure(
    `${path} is damaged (it ${problem}): put a copy of it back. If there is none, remove it and start again; ${lost}`,
  );
}

/** Readable by its owner only; replaced atomically, so that a kill leaves the old or the new file. */
export function writeState(path: string, value: object): void {
  renameSync(writeDraft(path, value), path);
}

/** Creates the file unless it exists; of two concurrent calls one wins, and the file of the other stays. */
export function createState(path: string, value: object): void {
  const draft = writeDraft(path, value);
  try {
    linkSync(draft, path);
  } catch {
    // The file of the other process stays.
  } finally {
    rmSync(draft);
  }
}

function writeDraft(path: string, value: object): string {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  return draft;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
