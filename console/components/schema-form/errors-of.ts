import { ApiError } from "../../../sdk/index.ts";
import { pathOf, pointerOf } from "./pointers.ts";

const NONE: ReadonlyMap<string, string> = new Map();

/** The errors of a refusal as sentences, by their pointers. */
export function errorsOf(error: unknown): ReadonlyMap<string, string> {
  if (!ApiError.isInstance(error)) return NONE;
  return new Map(
    error.errors.map(({ pointer, detail }) => [
      pointerOf(pathOf(pointer)),
      `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`,
    ]),
  );
}
