import type { Refusal } from "../../protocol/errors.ts";

/** A refusal as the text of a failed call, for the model that has made it. */
export function describeRefusal({ code, detail, errors = [] }: Refusal): string {
  const places = errors.map(({ pointer, detail: text }) => `${pointer}: ${text}`);
  return [`${code}: ${detail}`, ...places].join("\n");
}
