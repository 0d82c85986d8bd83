// The parts of the SDK that bundlers keep in files of their own, each fetched when it is first used. A part imports
// types alone from what every app has: then there is one file to fetch at the start, and one for each part.
import type * as growData from "../../protocol/fold/grow-data.ts";
import type * as answering from "../answers/answering.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import type * as eventPages from "./read-event-page.ts";

/** Answers to calls. @throws {ConnectionError} when it cannot be fetched; asking again may succeed. */
export function loadAnswering(): Promise<typeof answering> {
  return load(import("../answers/answering.ts"));
}

/** For runtimes without streams. @throws {ConnectionError} as {@link loadAnswering}. */
export function loadEventPages(): Promise<typeof eventPages> {
  return load(import("./read-event-page.ts"));
}

/** Joins base64 in the fold. @throws {ConnectionError} as {@link loadAnswering}. */
export function loadGrowData(): Promise<typeof growData> {
  return load(import("../../protocol/fold/grow-data.ts"));
}

function load<Part>(part: Promise<Part>): Promise<Part> {
  return part.catch((error: unknown) => {
    throw new ConnectionError(`a part did not load: ${String(error)}`, error);
  });
}
