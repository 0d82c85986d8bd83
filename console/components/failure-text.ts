import { ApiError } from "../../sdk/index.ts";

/** Sentence from a detail. Most details are none; details that quote a server of others are. */
export function sentenceOf(detail: string): string {
  const begun = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** Failure as a sentence; with the first wrong place, when fields of the request were wrong. */
export function failureText(error: unknown): string {
  if (!ApiError.isInstance(error)) return error instanceof Error ? error.message : String(error);
  const sentence = sentenceOf(error.detail);
  const [first] = error.errors;
  if (!first || first.detail === error.detail) return sentence;
  return `${sentence} ${first.pointer.replace("#/", "")}: ${first.detail}.`;
}
