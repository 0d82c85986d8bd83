// Parts of the SDK that bundlers split into chunks, loaded on first use. A part imports only types from the core, so
// that a bundler makes one initial chunk and one per part.
import type * as growData from "../../protocol/fold/grow-data.ts";
import type * as answering from "../answers/answering.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import type * as voice from "../voice/open-voice.ts";
import type * as progress from "./progress-fetch.ts";
import type * as eventPages from "./read-event-page.ts";
import type * as socketStream from "./socket-stream.ts";

/** Answers to calls. @throws {ConnectionError} when the chunk cannot be loaded; a retry may succeed. */
export function loadAnswering(): Promise<typeof answering> {
  return load(import("../answers/answering.ts"));
}

/** For runtimes whose bodies XMLHttpRequest alone shows as they arrive. @throws {ConnectionError} as {@link loadAnswering}. */
export function loadProgressFetch(): Promise<typeof progress> {
  return load(import("./progress-fetch.ts"));
}

/** For runtimes without streams. @throws {ConnectionError} as {@link loadAnswering}. */
export function loadEventPages(): Promise<typeof eventPages> {
  return load(import("./read-event-page.ts"));
}

/** For events over WebSockets. @throws {ConnectionError} as {@link loadAnswering}. */
export function loadSocketStream(): Promise<typeof socketStream> {
  return load(import("./socket-stream.ts"));
}

/** For sessions that speak. @throws {ConnectionError} as {@link loadAnswering}. */
export function loadVoice(): Promise<typeof voice> {
  return load(import("../voice/open-voice.ts"));
}

/** Joins base64 in the fold. @throws {ConnectionError} as {@link loadAnswering}. */
export function loadGrowData(): Promise<typeof growData> {
  return load(import("../../protocol/fold/grow-data.ts"));
}

/** The part that is being imported. @throws {ConnectionError} as {@link loadAnswering}. */
export function load<Part>(part: Promise<Part>): Promise<Part> {
  return part.catch((error: unknown) => {
    throw new ConnectionError(`a part did not load: ${String(error)}`, error);
  });
}
